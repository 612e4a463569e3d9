/* Ranking metrics in C, written from the README of the vectors alone, over their flat form.
   cc -O1 -o metrics metrics.c -lm && ./metrics FOLDER > RESULTS.json */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 64, WORDS = 24, LINE = 1 << 16 };
#define UNJUDGED (-1e9) /* the README's NONE */

/* ---- records: the fields of a line, cut at tabs */

typedef struct { int n; char *field[ITEMS + 8]; } Record;
typedef struct { int n; Record *record; } File;

static File read_file(const char *folder, const char *name) {
    char path[4096];
    static char line[LINE];
    File file = {0, NULL};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *in = fopen(path, "rb");
    if (!in) { perror(path); exit(2); }
    while (fgets(line, sizeof line, in)) {
        file.record = realloc(file.record, (file.n + 1) * sizeof(Record));
        Record *r = &file.record[file.n++];
        char *text = strdup(line);
        text[strcspn(text, "\r\n")] = 0;
        for (r->n = 0; text && r->n < ITEMS + 8; r->n++) {
            r->field[r->n] = text;
            text = strchr(text, '\t');
            if (text) *text++ = 0;
        }
        if (text) { fprintf(stderr, "%s: a line of too many fields\n", path); exit(2); }
    }
    fclose(in);
    return file;
}

static File inputs;
static Record *a_case; /* the case at hand */
static int K;          /* its cut-off; 0: none */

static const char *word(const char *name) {
    size_t length = strlen(name);
    for (int i = 6; i < a_case->n; i++)
        if (!strncmp(a_case->field[i], name, length) && a_case->field[i][length] == '=')
            return a_case->field[i] + length + 1;
    return "";
}
static int is(const char *name, const char *value) { return !strcmp(word(name), value); }
static double number(const char *name) { return atof(word(name)); }
static int has(const char *name) { return *word(name) != 0; }

/* The record of a part of the case's input; NULL if the input has no such part. */
static Record *part(const char *query, const char *name) {
    for (int i = 0; i < inputs.n; i++) {
        Record *r = &inputs.record[i];
        if (!strcmp(r->field[0], a_case->field[4]) && !strcmp(r->field[1], a_case->field[1]) &&
            !strcmp(r->field[2], query) && !strcmp(r->field[3], name))
            return r;
    }
    return NULL;
}

/* The length of an item's id, which ends at the = if there is one. */
static size_t id_length(const char *item) { return strcspn(item, "="); }
static int same_id(const char *a, const char *b) {
    return id_length(a) == id_length(b) && !strncmp(a, b, id_length(a));
}
static int by_id(const char *a, const char *b) {
    size_t n = id_length(a), m = id_length(b);
    int sign = memcmp(a, b, n < m ? n : m);
    return sign ? sign : (n > m) - (n < m);
}
static const char *look_up(Record *r, const char *id) {
    for (int i = 4; r && i < r->n; i++)
        if (same_id(r->field[i], id)) return r->field[i] + id_length(id) + 1;
    return NULL;
}

/* ---- the words that are functions */

static double nothing(void) {
    const char *what = has("no_relevant") ? word("no_relevant") : word("undefined");
    if (!strcmp(what, "one")) return 1;
    if (!strcmp(what, "half")) return 0.5;
    return !strcmp(what, "nan") ? NAN : 0;
}
static double gain(double x) {
    double least; /* of the gains with a lowest grade, such as exp(1) */
    if (x == UNJUDGED) x = 0;
    if (sscanf(word("gain"), "exp(%lf)", &least) == 1) return x >= least ? pow(2, x) - 1 : 0;
    if (sscanf(word("gain"), "linear(%lf)", &least) == 1) return x >= least ? x : 0;
    if (sscanf(word("gain"), "binary(%lf)", &least) == 1) return x >= least;
    return is("gain", "exp") ? pow(2, x) - 1 : is("gain", "binary") ? x >= 1 : x;
}
static double discount(int i) {
    if (is("discount", "none")) return 1;
    if (is("discount", "reciprocal")) return 1.0 / i;
    if (is("discount", "jk(2)")) return 1 / fmax(1, log2(i));
    return 1 / log2(i + 1);
}
static int min(int a, int b) { return a < b ? a : b; }
static double over(double above, double below) { return below == 0 ? 0 : above / below; }
static int falling(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* ---- one ranking, read */

static double g[ITEMS], pool[ITEMS], best[ITEMS];
static double rated[ITEMS]; /* g without the grade that an unjudged document may count as */
static const char *const a_copy = "(a copy)";
static int n, pooled, named[ITEMS], top, R, hits, known_documents;

static int hit(double x) { return x != UNJUDGED && x >= number("rel"); }
static int hits_in(const double *list, int length) {
    int found = 0;
    for (int i = 0; i < length; i++) found += hit(list[i]);
    return found;
}
static double dcg(const double *list, int length) {
    double total = 0;
    for (int i = 0; i < length; i++) total += gain(list[i]) * discount(i + 1);
    return total;
}
static int of_retrieved; // whether the measure is P or F
static double size(void) {
    if (is("divisor", "k")) return K ? K : n;
    if (is("divisor", "retrieved")) return top;
    if (is("divisor", "reachable")) return min(K ? K : of_retrieved ? n : R, R);
    return is("divisor", "hits") ? hits : R;
}

static double average_precision(double below) {
    double total = 0;
    for (int i = 0, found = 0; i < top; i++)
        if (hit(g[i])) total += (double)++found / (i + 1);
    return over(total, below);
}
static double ndcg(void) {
    int length = 0, relevant = 0;
    for (int i = 0; i < pooled; i++) relevant += pool[i] >= 1;
    if (is("ideal", "retrieved")) {
        for (int i = 0; i < n; i++) if (rated[i] != UNJUDGED) best[length++] = rated[i];
    } else if (is("ideal", "r_ones") || is("ideal", "k_ones")) {
        int ones = is("ideal", "r_ones") ? relevant : relevant ? (K ? K : n) : 0;
        while (length < ones) best[length++] = 1;
    } else {
        for (int i = 0; i < pooled; i++) best[length++] = pool[i];
    }
    qsort(best, length, sizeof *best, falling);
    if (is("ideal", "as_long")) length = min(length, n);
    double below = dcg(best, is("cut", "both") && K ? min(K, length) : length);
    return below == 0 ? nothing() : dcg(g, top) / below;
}
static double err(void) {
    double h = number("max_grade"), reach = 1, total = 0;
    if (is("max_grade", "highest")) {
        h = 1;
        for (int i = 0; i < pooled; i++) h = fmax(h, pool[i]);
    }
    for (int i = 0; i < pooled; i++)
        if (pool[i] < 0 || pool[i] > h) return NAN;
    for (int i = 0; i < top; i++) {
        double x = g[i] == UNJUDGED ? 0 : g[i];
        double stop = is("satisfaction", "linear") ? x / h : (pow(2, x) - 1) / pow(2, h);
        total += reach * stop / (i + 1);
        reach *= 1 - stop;
    }
    return total;
}
static double rbp(void) {
    double total = 0;
    for (int i = 0; i < top; i++)
        if (hit(g[i])) total += (is("gain", "binary") ? 1 : gain(g[i])) * pow(number("p"), i);
    return (1 - number("p")) * total;
}
static double q_measure(void) {
    double beta = number("beta"), total = 0, cumulated = 0, ideal = 0;
    memcpy(best, pool, sizeof best);
    qsort(best, pooled, sizeof *best, falling);
    for (int i = 0, count = 0; i < top; i++) {
        if (i < pooled && hit(best[i])) ideal += gain(best[i]);
        if (!hit(g[i])) continue;
        cumulated += gain(g[i]);
        total += (beta * cumulated + ++count) / (beta * ideal + i + 1);
    }
    return over(total, size());
}
static double bpref(void) {
    int others = pooled - R, above = 0;
    double total = 0;
    for (int i = 0; i < n; i++) {
        if (g[i] == UNJUDGED) continue;
        if (!hit(g[i])) above++;
        else total += above ? 1 - (double)min(above, R) / (is("bound", "relevant") ? R : min(R, others)) : 1;
    }
    return total / R;
}
static double inferred_ap(void) {
    double total = 0, e = number("epsilon");
    for (int i = 0, d = 0, known = 0, good = 0; i < n; i++) {
        if (hit(g[i])) total += (1 + d * (good + e) / (known + 2 * e)) / (i + 1);
        d += named[i]; known += g[i] != UNJUDGED; good += hit(g[i]);
    }
    return total / R;
}
static double precision_at(double recall) {
    double need = is("interpolation", "trec_eval") ? floor(recall * R + 0.9)
                : is("interpolation", "trec_eval_10") ? floor(recall * R + 0.5)
                : ceil(recall * R - 1e-9);
    double largest = 0;
    for (int i = 0, h = 0; i < n; i++) {
        h += hit(g[i]);
        if (h < need) continue;
        largest = fmax(largest, (double)h / (i + 1));
        if (is("interpolation", "none")) return largest;
    }
    return largest;
}
static double interpolated_ap(void) {
    int points = (int)number("points");
    double total = 0;
    for (int j = 0; j < points; j++) total += precision_at((double)j / (points - 1));
    return total / points;
}
static double f_measure(void) {
    double p = over(hits, size()), r = (double)hits / R, b = pow(number("beta"), 2);
    return over((b + 1) * p * r, b * p + r);
}
static double reciprocal_rank(void) {
    for (int i = 0; i < top; i++) if (hit(g[i])) return 1.0 / (i + 1);
    return 0;
}
static double judged(void) {
    int count = 0;
    for (int i = 0; i < top; i++) count += g[i] != UNJUDGED;
    return over(count, top);
}
static double cumulated_gain(void) {
    double total = 0;
    for (int i = 0; i < top; i++) total += gain(g[i]);
    return total;
}
static double contingency(int fall_out) {
    double all = is("collection", "known") ? known_documents : number("collection");
    double FP = top - hits, TN = all - hits - FP - (R - hits);
    if (!fall_out) return over(hits + TN, all);
    return FP + TN == 0 ? nothing() : FP / (FP + TN);
}

/* The value of the case's metric of the ranking in g; -1 if this program does not have it. */
static double of_ranking(const char *metric) {
    R = hits_in(pool, pooled);
    top = K ? min(K, n) : n;
    hits = hits_in(g, top);
    of_retrieved = !strcmp(metric, "P") || !strcmp(metric, "F");
    if (!strcmp(metric, "nDCG")) return ndcg();
    if (has("no_relevant") && R == 0) return nothing();
    if (!strcmp(metric, "P")) return over(hits, size());
    if (!strcmp(metric, "R")) return hits / size();
    if (!strcmp(metric, "F")) return f_measure();
    if (!strcmp(metric, "Success")) return hits > 0;
    if (!strcmp(metric, "Rprec")) return (double)hits_in(g, min(R, n)) / R;
    if (!strcmp(metric, "AP")) return average_precision(size());
    if (!strcmp(metric, "simplified-AP")) return average_precision(hits);
    if (!strcmp(metric, "RR")) return reciprocal_rank();
    if (!strcmp(metric, "CG")) return cumulated_gain();
    if (!strcmp(metric, "DCG")) return dcg(g, top);
    if (!strcmp(metric, "ERR")) return err();
    if (!strcmp(metric, "RBP")) return rbp();
    if (!strcmp(metric, "Q")) return q_measure();
    if (!strcmp(metric, "bpref")) return bpref();
    if (!strcmp(metric, "infAP")) return inferred_ap();
    if (!strcmp(metric, "IPrec")) return precision_at(number("recall"));
    if (!strcmp(metric, "interpolated-AP")) return interpolated_ap();
    if (!strcmp(metric, "Judged")) return judged();
    if (!strcmp(metric, "accuracy")) return contingency(0);
    if (!strcmp(metric, "fall-out")) return contingency(1);
    return -1;
}

/* ---- reading: groups of tied documents, each order that is as likely */

static Record *grades;
static const char *order[ITEMS];
static int group_of[ITEMS], ranked;
static double sum_of_orders;
static int orders;

static double grade_of(const char *id) {
    const char *text = look_up(grades, id);
    if (!text) return UNJUDGED;
    double x = atof(text);
    if (x >= 0 || is("negative", "keep")) return x;
    return is("negative", "zero") ? 0 : UNJUDGED;
}
static int is_padding(const char *id) {
    const char *text = look_up(grades, id);
    return text && atof(text) < 0 && is("negative", "padding");
}
static void measure_order(const char *metric) {
    double of_unjudged = UNJUDGED; /* in the ranking alone */
    sscanf(word("unjudged"), "grade(%lf)", &of_unjudged);
    n = pooled = 0;
    known_documents = ranked;
    for (int i = 0; i < ranked; i++) {
        double x = grade_of(order[i]);
        if (is_padding(order[i]) || (x == UNJUDGED && is("unjudged", "removed"))) continue;
        named[n] = look_up(grades, order[i]) != NULL;
        rated[n] = x;
        g[n++] = x == UNJUDGED && strcmp(order[i], a_copy) ? of_unjudged : x;
        if (is("pool", "retrieved") && x != UNJUDGED) pool[pooled++] = x;
    }
    for (int i = 4; i < grades->n; i++) {
        double x = grade_of(grades->field[i]);
        int there = 0;
        for (int j = 0; j < ranked; j++) there |= same_id(order[j], grades->field[i]);
        known_documents += !there;
        if (!is("pool", "retrieved") && x != UNJUDGED) pool[pooled++] = x;
    }
    sum_of_orders += of_ranking(metric);
    orders++;
}
static void every_order(const char *metric, int from) {
    if (from >= ranked) { measure_order(metric); return; }
    for (int i = from; i < ranked && group_of[i] == group_of[from]; i++) {
        const char *kept = order[from]; order[from] = order[i]; order[i] = kept;
        every_order(metric, from + 1);
        kept = order[from]; order[from] = order[i]; order[i] = kept;
    }
}
/* Whether b stands before a, which was given first. */
static int goes_before(const char *b, const char *a) {
    double x = grade_of(a), y = grade_of(b);
    if (x == UNJUDGED) x = 0;
    if (y == UNJUDGED) y = 0;
    if (is("ties", "docid")) return by_id(b, a) > 0;
    if (is("ties", "docid_ascending")) return by_id(b, a) < 0;
    if (is("ties", "pessimistic")) return y < x;
    if (is("ties", "optimistic")) return y > x;
    return is("ties", "reversed");
}
static double ranking_of(const char *metric, const char *query) {
    Record *ranking = part(query, "ranking"), *scores = part(query, "scores");
    static double level[ITEMS];
    static Record nobody;
    grades = part(query, "judgments");
    if (!grades) grades = &nobody;
    ranked = 0;
    for (int i = 4; ranking && i < ranking->n; i++) {
        int before = 0, after = 0;
        for (int j = 4; j < i; j++) before |= !strcmp(ranking->field[j], ranking->field[i]);
        for (int j = i + 1; j < ranking->n; j++) after |= !strcmp(ranking->field[j], ranking->field[i]);
        if ((is("duplicates", "first") && before) || (is("duplicates", "last") && after)) continue;
        level[ranked] = -i;
        order[ranked++] = before && is("duplicates", "no_gain") ? a_copy : ranking->field[i];
    }
    for (int i = 4; scores && i < scores->n; i++) {
        double score = atof(strchr(scores->field[i], '=') + 1);
        level[ranked] = is("scores", "float32") ? (float)score : is("scores", "order") ? 0 : score;
        order[ranked++] = scores->field[i];
    }
    int there = ranked;
    for (int i = 4; is("unretrieved", "last") && i < grades->n; i++) {
        int found = 0;
        for (int j = 0; j < there; j++) found |= same_id(order[j], grades->field[i]);
        if (found) continue;
        level[ranked] = -HUGE_VAL;
        order[ranked++] = grades->field[i];
    }
    for (int i = 1; i < ranked; i++) /* insertion: what is given first stays first unless told */
        for (int j = i; j > 0; j--) {
            int earlier = level[j] > level[j - 1] ||
                          (level[j] == level[j - 1] && goes_before(order[j], order[j - 1]));
            if (!earlier) break;
            const char *id = order[j]; order[j] = order[j - 1]; order[j - 1] = id;
            double l = level[j]; level[j] = level[j - 1]; level[j - 1] = l;
        }
    int averaged = is("ties", "averaged");
    for (int i = 0, group = 0; i < ranked; i++) {
        group += i && !(averaged && level[i] == level[i - 1]);
        group_of[i] = group;
    }
    sum_of_orders = orders = 0;
    every_order(metric, 0);
    return sum_of_orders / orders;
}

/* ---- alpha-DCG and alpha-nDCG */

static Record *nuggets;
/* Of NUGGET,NUGGET or NUGGET:PROBABILITY,...: the length of the first name, and what follows it. */
static size_t name_length(const char *held) { return strcspn(held, ",:"); }
static const char *next_of(const char *held) {
    held += strcspn(held, ",");
    return held + (*held == ',');
}
static double probability(const char *held) {
    return held[name_length(held)] == ':' ? atof(held + name_length(held) + 1) : 1;
}
static double certainty(const char *id, const char *nugget, size_t length) {
    for (const char *held = look_up(nuggets, id); held && *held; held = next_of(held))
        if (name_length(held) == length && !strncmp(held, nugget, length)) return probability(held);
    return 0;
}
static double wanted(const char *nugget, size_t length) {
    Record *gamma = part("-", "gamma");
    for (int i = 4; gamma && i < gamma->n; i++)
        if (id_length(gamma->field[i]) == length && !strncmp(gamma->field[i], nugget, length))
            return atof(gamma->field[i] + length + 1);
    return number("gamma");
}
static double worth_of(const char **list, int place, double left) {
    double worth = 0;
    for (const char *held = look_up(nuggets, list[place]); held && *held; held = next_of(held)) {
        double now = wanted(held, name_length(held)) * probability(held);
        for (int i = 0; i < place; i++)
            now *= 1 - (1 - left) * certainty(list[i], held, name_length(held));
        worth += now;
    }
    return worth;
}
static double faded(const char **list, int length, double left) {
    double total = 0;
    for (int i = 0; i < length; i++) total += worth_of(list, i, left) * discount(i + 1);
    return total;
}
static double best_of_orders(const char **list, int from, int length, int depth, double left) {
    if (from >= depth) return faded(list, depth, left);
    double largest = 0;
    for (int i = from; i < length; i++) {
        const char *kept = list[from]; list[from] = list[i]; list[i] = kept;
        largest = fmax(largest, best_of_orders(list, from + 1, length, depth, left));
        kept = list[from]; list[from] = list[i]; list[i] = kept;
    }
    return largest;
}
static double worth_of_all_nuggets(void) {
    double found = 0;
    for (int i = 4; i < nuggets->n; i++)
        for (const char *held = look_up(nuggets, nuggets->field[i]); held && *held; held = next_of(held)) {
            int before = 0;
            for (int j = 4; j < i; j++)
                before |= certainty(nuggets->field[j], held, name_length(held)) > 0;
            if (!before) found += wanted(held, name_length(held));
        }
    return found;
}
static double alpha_dcg(int normalised) {
    Record *ranking = part("-", "ranking");
    const char *list[ITEMS];
    double left = 1 - number("alpha"), below = 0;
    nuggets = part("-", "nuggets");
    int length = ranking->n - 4, documents = nuggets->n - 4, ndeval = is("ideal", "ndeval");
    for (int i = 0; i < length; i++) list[i] = ranking->field[i + 4];
    double a = faded(list, K ? min(K, length) : length, left);
    if (!normalised) {
        if (is("normalisation", "none")) return a;
        int deep = K ? K : length > 1 ? length : 1;
        for (int i = 0; i < deep; i++) below += worth_of_all_nuggets() * pow(left, i) * discount(i + 1);
        return below == 0 ? nothing() : a / below;
    }
    int depth = K ? min(K, documents) : documents;
    if (is("depth", "as_long")) depth = min(documents, K ? min(K, length) : length);
    for (int i = 0; i < documents; i++) list[i] = nuggets->field[i + 4];
    if (is("ideal", "exact")) {
        below = best_of_orders(list, 0, documents, depth, left);
    } else {
        for (int place = 0; place < documents; place++) {
            int chosen = -1;
            double most = -1;
            for (int i = place; i < documents; i++) {
                const char *kept = list[place];
                list[place] = list[i];
                double worth = worth_of(list, place, left);
                list[place] = kept;
                int sign = chosen < 0 ? 0 : by_id(list[i], list[chosen]);
                int equal = fabs(worth - most) <= 1e-12 * most;
                if (equal ? (ndeval ? sign > 0 : sign < 0) : worth > most) {
                    most = worth;
                    chosen = i;
                }
            }
            const char *kept = list[place]; list[place] = list[chosen]; list[chosen] = kept;
        }
        below = faded(list, depth, left);
    }
    return below == 0 ? nothing() : a / below;
}

/* ---- queries, cases */

static double over_queries(const char *metric) {
    double total = 0;
    int count = 0, geometric = !strcmp(a_case->field[3], "geometric_mean");
    for (int i = 0; i < inputs.n; i++) {
        Record *r = &inputs.record[i];
        if (strcmp(r->field[0], a_case->field[4]) || strcmp(r->field[1], metric) ||
            strcmp(r->field[3], "judgments"))
            continue;
        int relevant = 0;
        for (int j = 4; j < r->n; j++) relevant |= atof(strchr(r->field[j], '=') + 1) >= 1;
        if (is("no_relevant", "skip") && !relevant) continue;
        if (is("missing_queries", "skip") && !part(r->field[2], "ranking")) continue;
        double value = ranking_of(metric, r->field[2]);
        if (geometric) {
            value = fmax(value, number("floor"));
            if (value == 0) return 0;
            value = log(value);
        }
        total += value;
        count++;
    }
    return geometric ? exp(total / count) : total / count;
}

static const char *HAVE[] = {
    "P", "R", "F", "Success", "Rprec", "AP", "simplified-AP", "RR", "CG", "DCG", "nDCG", "ERR", "RBP",
    "Q", "bpref", "infAP", "IPrec", "interpolated-AP", "Judged", "accuracy", "fall-out", "alpha-DCG",
    "alpha-nDCG", NULL};

int main(int count, char **given) {
    if (count != 2) { fprintf(stderr, "metrics FOLDER > RESULTS.json\n"); return 2; }
    File cases = read_file(given[1], "cases.tsv");
    inputs = read_file(given[1], "inputs.tsv");
    printf("{\"format\": \"irmetrics-edu/results\", \"version\": \"3.0\", \"program\": \"metrics.c\",\n");
    printf("\"claims\": [");
    for (int i = 0; HAVE[i]; i++) printf("%s\"%s\"", i ? ", " : "", HAVE[i]);
    printf("],\n\"results\": {");
    for (int c = 0, printed = 0; c < cases.n; c++) {
        a_case = &cases.record[c];
        const char *metric = a_case->field[1];
        int have = 0;
        for (int i = 0; HAVE[i]; i++) have |= !strcmp(HAVE[i], metric);
        if (!have) continue;
        K = strcmp(a_case->field[2], "-") ? atoi(a_case->field[2]) : 0;
        double value = !strncmp(metric, "alpha", 5) ? alpha_dcg(!strcmp(metric, "alpha-nDCG"))
                     : strcmp(a_case->field[3], "-") ? over_queries(metric)
                     : ranking_of(metric, "-");
        printf("%s\n\"%s\": ", printed++ ? "," : "", a_case->field[0]);
        if (isnan(value)) printf("\"nan\"");
        else printf("%.17g", value);
    }
    printf("\n}}\n");
    return 0;
}
