@A(1) @B(x = {@C, @D("s")}) package p;
class X { @A int @B [] @C [] f; void m(@A X this, List<@B String> l) {} <@A T> X() { this(1); } X(int i) { super(); } }
