grammar Tokens;
tokens { One, Two }
s : 'lit' One 'two' Two Three 'four' 'lit' UNKNOWN 'cmd' 'cmd3' 'frag' 'opt' 'typed' ;
Three : 'three' ;
Four : 'four' ;
Dup1 : 'dup' ;
Dup2 : 'dup' ;
Cmd : 'cmd' -> channel(HIDDEN), type(Three) ;
Cmd3 : 'cmd3' -> type(Three), mode(DEFAULT_MODE), channel(3) ;
Typed : 'typed' -> type(Four) ;
More : 'more' 'x' -> more ;
More2 : 'more2' -> more ;
Acted : 'acted' {act();} ;
Pred : 'pred' {ok()}? ;
fragment Frag : 'frag' ;
Opt options { caseInsensitive = true; } : 'opt' ;
Last : Frag+ -> type(12) ;
