#!/usr/bin/lua
-- line
--[[ long
 ]] x = 1 --[==[ level ]] ]=] two ]==] y = 2
--[ not long ]]
--[=x
---[[ a line
z = [[long ]=] string]] .. [==[
a]]b]==] --
--[[]] return #z --[[ end ]]
