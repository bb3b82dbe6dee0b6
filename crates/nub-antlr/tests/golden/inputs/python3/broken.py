def f(:
  return
 x = 
