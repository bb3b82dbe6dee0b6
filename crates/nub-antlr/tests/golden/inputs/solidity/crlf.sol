contract A {}
contract B is A {
  int a;
}
