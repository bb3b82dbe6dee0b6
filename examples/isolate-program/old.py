import json

def total(items):
    """Adds up."""
    result = 0
    for item in items:
        result += item["price"] * item["count"]
    return result

def main():
    items = [{"price": 3, "count": 2}, {"price": 5, "count": 1}]
    print(json.dumps({"total": total(items)}))

main()
