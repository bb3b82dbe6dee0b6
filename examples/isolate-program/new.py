import json
import sys

VAT = 0.19

def net(item):
    price = item["price"]
    if "discount" in item:
        price -= item["discount"]
    return price * item["count"]

def total(items, vat=False):
    """Adds up, with or without VAT."""
    result = sum(net(item) for item in items)
    if vat:
        result *= 1 + VAT
    return round(result, 2)

def main(argv):
    items = [{"price": 3, "count": 2}, {"price": 5, "count": 1, "discount": None}]
    verbose = "-v" in argv
    if verbose:
        print("items:", len(items))
    print(json.dumps({"total": total(items)}))

main(sys.argv)
