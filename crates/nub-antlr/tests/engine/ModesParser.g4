parser grammar ModesParser;
options { tokenVocab = Modes; }
s: .* EOF;
