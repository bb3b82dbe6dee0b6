var = 1; function (
