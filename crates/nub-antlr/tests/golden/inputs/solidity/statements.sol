contract S {
    function f(uint n) public returns (uint) {
        uint a = 1; uint[] memory b = new uint[](3); (uint x, , bool y) = g(); (a, b[0]) = (b[1], a); var_ = 1;
        if (a > 1) return a; else if (n == 0) revert Failed({code: 1, reason: "x"}); else { }
        for (uint i = 0; i < n; i++) { if (i % 2 == 0) continue; break; }
        for (;;) {} while (a != 0) a--; do { a += 2; } while (a < 10 && !y || false);
        try this.f{value: 1 ether, gas: 100}(2) returns (uint v) { a = v; } catch Error(string memory e) { e; } catch (bytes memory) { } catch { }
        unchecked { a = a ** 2 << 3 >> 1 >>> 2 & 7 | 8 ^ ~a; } emit Moved(msg.sender, 1); delete b[0];
        return a > 1 ? b[1:2].length : type(uint256).max + hex"00ff" hex'aa' .length + unicode"é" .length;
    }
    function g() private pure { uint z = 0x1F + 1_000 + 1.5e3 + 2 days + 3 gwei; bool t = true; string memory s = "a\n\x41\u00e9" 'b'; payable(address(0)).transfer(z); t; s; [1, 2, 3][0]; -z; ++z; z--; }
}
