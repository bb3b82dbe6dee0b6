(set-logic QF_UFLIA) (set-option :produce-models true) (set-option :verbosity 3) (set-info :status sat) (set-info :source |multi
line|)
(declare-sort S 1) (define-sort P (X) (S X)) (declare-const x Int) (declare-fun f (Int (Array Int Bool)) Real)
(define-fun g ((a Int) (b Bool)) Int (ite b a (- a))) (define-fun-rec h ((n Int)) Int (h n))
(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
(assert (! (forall ((i Int) (j Int)) (exists ((k Int)) (=> (< i j) (and (<= i k) (distinct k j))))) :named a1))
(assert (let ((y (+ x 1)) (z 2.5)) (= (select ((as const (Array Int Real)) z) y) ((_ extract 3 0) #xFFFF 5))))
(assert (= "a ""quoted"" string" |weird symbol|)) (push 1) (check-sat) (check-sat-assuming (p (not q))) (get-model) (get-value (x (f 1 2)))
(get-info :name) (get-option :verbosity) (get-unsat-core) (pop 1) (echo "x") (reset-assertions) (reset) (exit)
