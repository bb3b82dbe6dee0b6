int a;
int b(void)
{
	return a; /* x
 */
}
