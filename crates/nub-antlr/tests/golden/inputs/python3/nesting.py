def a():
    def b():
        def c():
            def d():
                return (
1,
                    [2,
          {3: 4,
     }])
            return d
    x = f(
    )
y = {
    'k': lambda a: (
        a),
}
if 1:
  if 2:
      if 3: pass
  z = 1
