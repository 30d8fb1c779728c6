/* Reads an NNUE .tabianet file and evaluates positions with it.
 *
 *   cc -std=c99 -O2 tabianet.c -o tabianet
 *   ./tabianet net.tabianet 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
 *
 * Prints the value for the side to move in centipawns, as the line "value" of
 * `tabia eval --model net.tabianet FEN` does. tabianet.md describes the file. This is written to
 * be read, not to be fast: an engine would keep the two accumulators and, when a man moves, add
 * and subtract the rows of the weights that change. The checksum at the end of the file is not
 * checked: that takes BLAKE3.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SQUARES = 64, PLANES = 12, MOST_HIDDEN = 8192 };
enum activation { CRELU, SCRELU, PAIRWISE };

struct net {
    int king_buckets[SQUARES]; /* the bucket of the own king's square, a1 first */
    int mirrored, hidden, output_buckets;
    enum activation activation;
    int one, output, value, output_bits; /* the scales */
    int16_t *biases, *weights;           /* [hidden], [inputs][hidden] */
    int32_t *output_biases;              /* [output_buckets] */
    int16_t *output_weights;             /* [output_buckets][side to move, other] */
};

struct position {
    int8_t men[SQUARES]; /* 0 to 11: 2 * kind + colour, kinds from pawn to king; -1: empty */
    int black_to_move;
};

static void fail(const char *problem)
{
    fprintf(stderr, "tabianet: %s\n", problem);
    exit(1);
}

/* The header is JSON without spaces, and its keys are unique: a search for a key is enough. */
static const char *after_key(const char *header, const char *key)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *found = strstr(header, quoted);
    return found ? found + strlen(quoted) : NULL;
}

static int number(const char *header, const char *key)
{
    const char *text = after_key(header, key);
    if (!text)
        fail("a number is missing in the header");
    return atoi(text);
}

static void read_header(struct net *net, const char *header)
{
    const char *list = after_key(header, "king_buckets");
    if (!list)
        fail("the header has no king_buckets");
    for (int square = 0; square < SQUARES; square++) {
        list += strcspn(list, "0123456789");
        net->king_buckets[square] = (int)strtol(list, (char **)&list, 10);
    }
    net->mirrored = strncmp(after_key(header, "mirrored"), "true", 4) == 0;
    net->hidden = number(header, "hidden");
    net->output_buckets = number(header, "output_buckets");
    const char *activation = after_key(header, "activation");
    net->activation = strncmp(activation, "\"crelu", 6) == 0    ? CRELU
                      : strncmp(activation, "\"screlu", 7) == 0 ? SCRELU
                                                                : PAIRWISE;
    net->one = number(header, "one");
    net->output = number(header, "output");
    net->value = number(header, "value");
    net->output_bits = after_key(header, "output_bits") ? number(header, "output_bits") : 8;
    if (net->hidden < 32 || net->hidden > MOST_HIDDEN)
        fail("the header has no sensible width");
}

static void *take(FILE *file, size_t count, size_t size)
{
    void *values = malloc(count * size);
    if (!values || fread(values, size, count, file) != count)
        fail("the file ends too early");
    return values; /* the integers of the file are little-endian, as this machine's must be */
}

static struct net read_net(const char *path)
{
    struct net net = {0};
    FILE *file = fopen(path, "rb");
    if (!file)
        fail("cannot open the file");
    uint32_t start[4]; /* the magic, the version, and the length of the header */
    if (fread(start, 4, 4, file) != 4 || memcmp(start, "TABIANET", 8) != 0 || start[2] != 1)
        fail("not a TABIANET file of version 1");
    char *header = calloc(start[3] + 1, 1);
    if (!header || fread(header, 1, start[3], file) != start[3])
        fail("the file ends too early");
    read_header(&net, header);
    free(header);

    int buckets = 0;
    for (int square = 0; square < SQUARES; square++)
        if ((!net.mirrored || square % 8 >= 4) && net.king_buckets[square] >= buckets)
            buckets = net.king_buckets[square] + 1;
    size_t inputs = (size_t)buckets * PLANES * SQUARES;
    size_t row = (size_t)net.hidden * (net.activation == PAIRWISE ? 1 : 2);
    size_t outputs = row * net.output_buckets;
    net.biases = take(file, net.hidden, 2);
    net.weights = take(file, inputs * net.hidden, 2);
    net.output_biases = take(file, net.output_buckets, 4);
    if (net.output_bits == 16) {
        net.output_weights = take(file, outputs, 2);
    } else {
        int8_t *narrow = take(file, outputs, 1);
        net.output_weights = malloc(2 * outputs);
        if (!net.output_weights)
            fail("there is no memory");
        for (size_t at = 0; at < outputs; at++)
            net.output_weights[at] = narrow[at];
        free(narrow);
    }
    fclose(file);
    return net;
}

static struct position read_fen(const char *fen)
{
    struct position position;
    memset(position.men, -1, sizeof position.men);
    int square = 56;
    for (; *fen && *fen != ' '; fen++) {
        const char *kinds = "PpNnBbRrQqKk", *man = strchr(kinds, *fen);
        if (*fen == '/')
            square -= 16;
        else if (*fen >= '1' && *fen <= '8')
            square += *fen - '0';
        else if (man && square >= 0 && square < SQUARES)
            position.men[square++] = (int8_t)(man - kinds);
        else
            fail("not a FEN");
    }
    position.black_to_move = strncmp(fen, " b", 2) == 0;
    return position;
}

/* The sums of the first layer as one side sees the board. Black's board is turned upside down;
 * with mirroring a king on the files a to d is brought to e to h with everything else. */
static void accumulate(const struct net *net, const struct position *position, int black,
                       int32_t *sums)
{
    int king = 0;
    while (position->men[king] != 10 + black)
        if (++king == SQUARES)
            fail("a king is missing");
    int flip = black ? 56 : 0;
    if (net->mirrored && king % 8 < 4)
        flip ^= 7;
    int first = net->king_buckets[king ^ flip] * PLANES * SQUARES;
    for (int column = 0; column < net->hidden; column++)
        sums[column] = net->biases[column];
    for (int square = 0; square < SQUARES; square++) {
        int man = position->men[square];
        if (man < 0)
            continue;
        int is_enemy = (man & 1) != black;
        int input = first + (man / 2 * 2 + is_enemy) * SQUARES + (square ^ flip);
        const int16_t *row = net->weights + (size_t)input * net->hidden;
        for (int column = 0; column < net->hidden; column++)
            sums[column] += row[column];
    }
}

static int64_t clipped(const struct net *net, int32_t sum)
{
    return sum < 0 ? 0 : sum > net->one ? net->one : sum;
}

/* What one side's sums add to the output. */
static int64_t share(const struct net *net, const int32_t *sums, const int16_t *weights)
{
    int count = net->activation == PAIRWISE ? net->hidden / 2 : net->hidden;
    int64_t total = 0;
    for (int at = 0; at < count; at++) {
        int64_t value = clipped(net, sums[at]);
        int64_t factor = net->activation == CRELU    ? 1
                         : net->activation == SCRELU ? value
                                                     : clipped(net, sums[count + at]);
        total += value * factor * weights[at];
    }
    return total;
}

static int64_t evaluate(const struct net *net, const struct position *position)
{
    static int32_t own[MOST_HIDDEN], other[MOST_HIDDEN];
    accumulate(net, position, position->black_to_move, own);
    accumulate(net, position, !position->black_to_move, other);
    int men = 0;
    for (int square = 0; square < SQUARES; square++)
        men += position->men[square] >= 0;
    int bucket = (men - 1) * net->output_buckets / 32;
    int half = net->activation == PAIRWISE ? net->hidden / 2 : net->hidden;
    const int16_t *weights = net->output_weights + (size_t)bucket * 2 * half;
    int64_t sum = net->output_biases[bucket] + share(net, own, weights) +
                  share(net, other, weights + half);
    int64_t unit = (int64_t)net->one * net->output;
    if (net->activation != CRELU)
        unit *= net->one;
    return sum * net->value / unit;
}

int main(int count, char **arguments)
{
    if (count < 3)
        fail("usage: tabianet NET.tabianet FEN...");
    struct net net = read_net(arguments[1]);
    for (int at = 2; at < count; at++) {
        struct position position = read_fen(arguments[at]);
        printf("%lld\n", (long long)evaluate(&net, &position));
    }
    return 0;
}
