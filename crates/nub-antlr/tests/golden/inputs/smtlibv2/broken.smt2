(assert (= x
(check-sat)
