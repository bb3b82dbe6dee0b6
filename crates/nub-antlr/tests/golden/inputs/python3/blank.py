

# comment first

   

x = 1


# last

