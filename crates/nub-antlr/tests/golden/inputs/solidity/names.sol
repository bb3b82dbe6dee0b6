contract from { error error_(); uint revert_; function global() public { uint from = 1; error; from.global(); revert(); revert("x"); } address receive_; }
