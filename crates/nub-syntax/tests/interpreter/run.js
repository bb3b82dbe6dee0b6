// Runs programs, one per line: {"program": "…", "input": "…"}. Replies with what each prints and throws.
const vm = require("vm");
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { program, input } = JSON.parse(line);
  let printed = "";
  let thrown = null;
  try {
    const print = (text) => { printed += text + "\n"; };
    vm.runInNewContext(program, { print, input }, { timeout: 200 });
  } catch (error) {
    thrown = String(error && error.message);
  }
  console.log(JSON.stringify({ printed: printed.slice(0, 1000), thrown }));
});
