// Reads scripts, one per line as JSON strings. Writes 1 for each that fails because something is not a function, else 0.
const vm = require("vm");
const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  let answer = 0;
  try {
    vm.runInNewContext(JSON.parse(line), {}, { timeout: 200 });
  } catch (error) {
    answer = /\.toText is not a function$/.test(error.message || "") ? 1 : 0;
  }
  console.log(answer);
});
