var x = ;
function ( { }
