#include <stdint.h>
static int32_t g_3 = (-1L);
static uint16_t g_8[2][3] = {{0x1234L,65535UL,1UL},{0UL,0xFFFFL,9UL}};
static int32_t *g_9 = &g_3, **volatile g_10 = &g_9;
static const volatile uint8_t g_11 = 0x5EL;
static uint16_t func_1(void);
static int32_t * func_2(int32_t p_3, uint8_t * const p_4)
{ /* block id: 0 */
    uint32_t l_5[4] = {1UL,1UL,1UL,1UL};
    int i;
    for (g_3 = 0; (g_3 <= 3); g_3 += 1)
    { /* block id: 1 */
        (*g_9) |= ((l_5[g_3] , ((**g_10) ^= (p_3 < ((int16_t)((uint8_t)(*p_4) % (uint8_t)1L) << (int16_t)2)))) > 0xAAL);
        if (((void*)0 != p_4))
            continue;
        else
            break;
    }
    return (*g_10);
}
static uint16_t func_1(void)
{
    uint8_t l_1 = 7UL;
    int32_t *l_2 = func_2((g_8[1][2] && (!(~l_1))), &l_1);
    return ((*l_2) == (-(g_11))) ? g_8[0][0] : (l_1--);
}
int main (void) { return func_1() >> 3; }
