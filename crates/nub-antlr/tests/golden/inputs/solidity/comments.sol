/// doc
/** more
 * doc */
contract /* c */ C { // end
  uint /**/ a; /* ** */ }
