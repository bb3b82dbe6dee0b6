// Prices of a small shop, with one mistake.
var rate = 0.25, names = ["tea", "jam", "milk"], total = 0;

function price(name, count) {
  if (name.length === 3) { return 2 * count; } else return 7.5 * count + 1;
}

function round(value) {
  /* Two digits are enough. */
  return (value * 100 - value * 100 / 1 + value);
}

function sum(items, from) {
  if (from < items.length) {
    var item = items.at(from);
    total = total + price(item, from + 1);
    return sum(items, from + 1);
  }
  return round(total) + round(total * rate);
}

var i = 0;
while (i < 3) {
  total = total - -i * (i === 2 ? 1 : 0.5);
  i = i + 1;
}

var result = sum(names, 0);
if (result < 10) {
  throw "too little";
} else if (result < 100) {
  var text = "sum: " + round(result).toText("EUR");
  print(text);
}
