/* What Temme's series of Bessel functions need of an order between -1/2 and 1/2, of real and of
   complex arguments; see kernels/each_side.h. */
/* What Temme's series need of mu: 1 / gamma(1 + mu) and 1 / gamma(1 - mu), their sum's half, their
   difference by 2 mu, and pi mu / sin(pi mu). */
typedef struct temme {
    double plus, minus, even, odd, turn;
} temme;

GX_EACH_FN temme temme_of(double mu) {
    /* The power series of 1 / gamma(1 + mu). */
    static const double c[] = {
        1.0,                     0.5772156649015328606,   -0.6558780715202538811,
        -0.04200263503409523553, 0.1665386113822914895,   -0.04219773455554433675,
        -0.009621971527876973562, 0.007218943246663099542, -0.001165167591859065112,
        -0.0002152416741149509728, 0.0001280502823881161862, -0.00002013485478078823866,
        -1.250493482142670657e-6, 1.133027231981695882e-6, -2.056338416977607103e-7,
        6.116095104481415818e-9, 5.00200764446922293e-9,  -1.181274570487020145e-9,
        1.04342671169110051e-10, 7.782263439905071254e-12, -3.696805618642205708e-12,
        5.100370287454475979e-13};
    const double square = mu * mu;
    double even = 0, odd = 0;
    for (int k = 20; k >= 0; k -= 2) {
        even = even * square + c[k];
        odd = odd * square + c[k + 1];
    }
    const double half = PI * mu;
    const double turn = fabs(half) < 1e-8 ? 1 : half / sin(half);
    const temme t = {even + mu * odd, even - mu * odd, even, -odd, turn};
    return t;
}
