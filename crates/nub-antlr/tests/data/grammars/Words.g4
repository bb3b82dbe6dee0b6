grammar Words;
/** Words of the grammar language that are names elsewhere. */
skip : type more assoc ;
type : ((('b') | 'c') skip?)? ;
more : assign+=type channel=type ;
assoc : 'tokens' | ;
