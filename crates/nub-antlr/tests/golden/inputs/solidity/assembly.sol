contract Y { function f() public { assembly "evmasm" ("memory-safe") {
  let x := 1 let y, z := g(x) let u
  x := add(x, 0xff) y, z := g(mload(0x40))
  if lt(x, 2) { revert(0, 0) } for { let i := 0 } lt(i, 10) { i := add(i, 1) } { if i { break } continue }
  switch x case 0 { stop() } case "a" { } default { sstore(x, true) }
  function g(a) -> b, c { b := a c := hex"00" leave } { } pop(x.slot) stop()
} } }
