// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4 <0.9.0;
import "./a.sol"; import "b.sol" as B; import {C, D as E} from "c.sol"; import * as F from "d.sol";
type Price is uint128;
error Failed(uint256 code, string reason);
enum State { Open, Closed }
struct Point { int256 x; int256 y; mapping(address => uint256[]) m; }
uint256 constant LIMIT = 10 ** 18;
using {add, Lib.sub as -} for Price global;
function free(uint a) pure returns (uint) { return a; }
abstract contract A is B.Base, E(1, "x") {
    using Lib for *; using Lib for uint256;
    event Moved(address indexed from, uint256 amount) anonymous;
    mapping(address owner => mapping(uint => bool)) public flags;
    uint256[3][] private immutable grid; bytes32 internal constant HASH = keccak256("x"); address payable to;
    function(uint) external returns (bool) callback;
    modifier only(uint a) virtual { require(msg.sender == to, "no"); _; }
    constructor(uint a) payable Base(a) { to = payable(msg.sender); }
    receive() external payable {} fallback(bytes calldata d) external returns (bytes memory) { return d; }
    function f(uint a, Point memory p) public view virtual override(X, Y.Z) only(a) returns (uint r, bool) ;
}
interface I { function g() external; }
library L { function h(uint[] storage s) internal {} }
