contract { function }
