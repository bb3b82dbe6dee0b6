; comment
(set-logic QF_BV)
(declare-fun v () (_ BitVec 32))
(assert (bvult (bvadd v #x00000001) ((_ sign_extend 16) (concat v ((_ extract 15 0) v)))))
(assert (not (= v (_ bv5 32))))
(check-sat)
