// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
import {A as B} from "./a.sol";
interface I { function f(uint256 a) external view returns (bool); }
contract Sample is I, Base(1) {
    enum State { On, Off }
    struct P { uint x; address payable y; }
    mapping(address => mapping(uint => P)) public m;
    event Done(address indexed who, uint n);
    modifier only() { require(msg.sender == owner, "no"); _; }
    constructor(uint[] memory a) payable { owner = msg.sender; }
    function f(uint256 a) public override only returns (bool ok, uint) {
        for (uint i = 0; i < 10; i++) { if (i == 3) continue; else break; }
        while (true) { a += 1 ether; delete m[msg.sender]; }
        emit Done(msg.sender, a > 1 ? 2 : 3);
        return (true, a ** 2);
    }
}
