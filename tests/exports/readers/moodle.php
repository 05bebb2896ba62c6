<?php
/*
 * A reader of Moodle XML that follows the rules of Moodle's own importer, and marks answers as Moodle's questions do.
 *
 *     php -d precision=14 moodle.php FILE < responses.json > read.json
 *
 * Responses: [{"idnumber": ..., "field": 0, "response": "0.25"}, ...]. Read: {"questions": [...], "marks": [...], "errors": [...]}.
 * Rules: question/format/xml/format.php, question/type/{numerical,multianswer,multichoice,ordering} of Moodle 4.5. Written anew.
 */
declare(strict_types=1);
ini_set('pcre.backtrack_limit', '10000000');
ini_set('pcre.jit', '0');
ini_set('memory_limit', '2G');

const SHARES = [
    1, 0.9, 0.8333333, 0.8, 0.75, 0.7, 0.6666667, 0.6, 0.5, 0.4, 0.3333333, 0.3, 0.25, 0.2, 0.1666667, 0.1428571, 0.125,
    0.1111111, 0.1, 0.05, 0,
];

$errors = [];

function complain(string $what): void
{
    global $errors;
    $errors[] = $what;
}

/** The share that the importer takes for a percentage; null where it refuses the question. */
function share(string $percent): ?float
{
    $x = (float) $percent / 100;
    foreach (SHARES as $known) {
        if (abs(abs($x) - $known) < 0.00001) {
            return $x < 0 ? -$known : $known;
        }
    }
    return null;
}

// -- the grammar of fields within a text ---------------------------------------------------------------------------------

// an answer ends at ~, # or } that is neither escaped nor part of an entity; feedback at ~ or } that is not escaped
const ALTERNATIVE = '(?<share>=|%(?<percent>-?\d+(?:[.,]\d*)?)%)?(?<answer>.+?(?<![\\\\&])(?<!&amp;)(?=[~#}]|$))'
    . '(?:#(?<feedback>.*?(?<!\\\\)(?=[~}]|$)))?';
const NUMBER = '-?(?:\d+[.,]?\d*|[.,]\d+)(?:[eE][-+]?\d+)?';
const TYPES = [
    'numerical' => ['NUMERICAL', 'NM'],
    'shortanswer' => ['SHORTANSWER', 'SA', 'MW', 'SHORTANSWER_C', 'SAC', 'MWC'],
    'multichoice' => [
        'MULTICHOICE', 'MC', 'MULTICHOICE_V', 'MCV', 'MULTICHOICE_H', 'MCH', 'MULTICHOICE_S', 'MCS', 'MULTICHOICE_VS', 'MCVS',
        'MULTICHOICE_HS', 'MCHS',
    ],
    'multiresponse' => [
        'MULTIRESPONSE', 'MR', 'MULTIRESPONSE_H', 'MRH', 'MULTIRESPONSE_S', 'MRS', 'MULTIRESPONSE_HS', 'MRHS',
    ],
];

function unnamed(string $pattern): string
{
    return preg_replace('/\(\?<[a-z]+>/', '(?:', $pattern);
}

function pattern(): string
{
    $names = array_merge(...array_values(TYPES));
    $one = unnamed(ALTERNATIVE);
    return '/\{(?<weight>\d*):(?<type>' . implode('|', $names) . '):(?<all>' . $one . '(?:~' . $one . ')*)\}/s';
}

/** The fields of a cloze question's text, each replaced by its number, as long as there are any. */
function fields(string $text, string $where): array
{
    $found = [];
    while (($hit = preg_match(pattern(), $text, $m)) === 1) {
        $type = '';
        foreach (TYPES as $name => $spellings) {
            $type = in_array($m['type'], $spellings, true) ? $name : $type;
        }
        $found[] = field($type, $m, $where . ', field ' . (count($found) + 1));
        $text = implode('{#' . count($found) . '}', explode($m[0], $text, 2));
    }
    if ($hit === false) {
        complain("$where: " . preg_last_error_msg());
    }
    if (!$found) {
        complain("$where: no field");
    }
    return [$found, $text];
}

function field(string $type, array $m, string $where): array
{
    $rest = $m['all'];
    $alternatives = [];
    while (preg_match('/~?' . ALTERNATIVE . '/s', $rest, $a) === 1) {
        $percent = $a['percent'] ?? '';
        $fraction = ($a['share'] ?? '') === '=' ? 1.0 : ($percent ? 0.01 * (float) str_replace(',', '.', $percent) : 0.0);
        $one = ['fraction' => $fraction, 'tolerance' => null];
        $said = html_entity_decode($a['feedback'] ?? '', ENT_QUOTES, 'UTF-8');
        $one['feedback'] = str_replace('\#', '#', str_replace('\}', '}', $said));
        if ($type === 'numerical' && preg_match('~^(?<x>' . NUMBER . ')(?::(?<t>' . NUMBER . '))?$~s', $a['answer'], $n)) {
            $one['answer'] = $n['x'];
            $one['tolerance'] = $n['t'] ?? '0';
        } else {
            $text = html_entity_decode($a['answer'], ENT_QUOTES, 'UTF-8');
            $one['answer'] = str_replace('\#', '#', str_replace('\}', '}', $text));
            if ($type === 'numerical' && trim($one['answer']) !== '*') {
                complain("$where: {$one['answer']} is neither a number nor *");
            }
        }
        $alternatives[] = $one;
        $rest = explode($a[0], $rest, 2)[1];
    }
    $fractions = array_column($alternatives, 'fraction');
    if (!in_array(1.0, $fractions, true)) {
        complain("$where: no answer earns all");
    }
    if ($type === 'multichoice' && count($alternatives) < 2) {
        complain("$where: fewer than two options");
    }
    return ['type' => $type, 'weight' => $m['weight'] === '' ? 1 : (int) $m['weight'], 'alternatives' => $alternatives];
}

// -- the file ------------------------------------------------------------------------------------------------------------

function text(?DOMElement $parent, string ...$path): string
{
    $node = $parent;
    foreach ($path as $name) {
        $next = null;
        foreach ($node ? $node->childNodes : [] as $child) {
            if ($child instanceof DOMElement && $child->nodeName === $name) {
                $next = $child;
                break;
            }
        }
        $node = $next;
    }
    return $node ? trim($node->textContent) : '';
}

function children(DOMElement $parent, string $name): array
{
    $out = [];
    foreach ($parent->childNodes as $child) {
        if ($child instanceof DOMElement && $child->nodeName === $name) {
            $out[] = $child;
        }
    }
    return $out;
}

function question(DOMElement $q, string $category): array
{
    $type = $q->getAttribute('type');
    $name = text($q, 'name', 'text');
    $where = "$type $name";
    $out = [
        'type' => $type, 'name' => $name, 'category' => $category, 'idnumber' => text($q, 'idnumber'),
        'text' => text($q, 'questiontext', 'text'), 'generalfeedback' => text($q, 'generalfeedback', 'text'),
        'tags' => array_map(fn ($tag) => text($tag, 'text'), children($q, 'tags') ? children(children($q, 'tags')[0], 'tag') : []),
    ];
    if ($name === '' || strip_tags($name) !== $name) {
        complain("$where: the name is empty or loses a tag");
    }
    if ($type === 'cloze') {
        [$out['fields'], $out['text']] = fields($out['text'], $where);
        $out['mark'] = array_sum(array_column($out['fields'], 'weight'));
        return $out;
    }
    $out['mark'] = (float) text($q, 'defaultgrade');
    if ($type === 'essay') {
        $out['graderinfo'] = text($q, 'graderinfo', 'text');
        return $out;
    }
    $alternatives = [];
    foreach (children($q, 'answer') as $answer) {
        $fraction = share($answer->getAttribute('fraction'));
        if ($type !== 'ordering' && $fraction === null) {
            complain("$where: the share {$answer->getAttribute('fraction')} is none that is known");
        }
        $alternatives[] = [
            'answer' => text($answer, 'text'), 'fraction' => $fraction, 'feedback' => text($answer, 'feedback', 'text'),
            'tolerance' => text($answer, 'tolerance'),
        ];
    }
    if ($type === 'ordering') {
        $out['gradingtype'] = text($q, 'gradingtype');
        if (strlen($name) > 42) {
            complain("$where: the name is cut");
        }
    } elseif (!in_array(1.0, array_map('floatval', array_column($alternatives, 'fraction')), true)) {
        complain("$where: no answer earns all");
    }
    $out['fields'] = [['type' => $type, 'weight' => 1, 'alternatives' => $alternatives]];
    return $out;
}

// -- marking -------------------------------------------------------------------------------------------------------------

/** A number as students type it: spaces dropped, a comma alone is a point. Null where it is none. */
function typed(string $response): ?float
{
    $response = str_replace(' ', '', $response);
    $several = strpos($response, '.') !== false || substr_count($response, ',') > 1;
    $response = str_replace(',', $several ? '' : '.', $response);
    return preg_match('/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/', $response) ? (float) $response : null;
}

function within(array $one, float $x): bool
{
    if (trim($one['answer']) === '*') {
        return true;
    }
    $middle = (float) $one['answer'];
    $reach = abs((float) $one['tolerance']);
    $reach += pow(10, -1 * (int) ini_get('precision')) * max($reach, abs($middle), pow(10, -1 * (int) ini_get('precision')));
    return $middle - $reach <= $x && $x <= $middle + $reach;
}

function mark(array $question, int $field, mixed $response): array
{
    $asked = $question['fields'][$field];
    $all = $asked['alternatives'];
    if ($asked['type'] === 'ordering') {
        // positions of the answers from 0, in the order that was given; every right neighbour counts but the last has none
        $pairs = 0;
        for ($k = 0; $k + 1 < count($response); ++$k) {
            $pairs += $response[$k + 1] === $response[$k] + 1 ? 1 : 0;
        }
        return ['fraction' => $pairs / (count($all) - 1), 'feedback' => ''];
    }
    foreach ($all as $k => $one) {
        $hit = $asked['type'] === 'numerical' ? typed($response) !== null && within($one, typed($response)) : $k === $response;
        if ($hit) {
            return ['fraction' => $one['fraction'], 'feedback' => $one['feedback']];
        }
    }
    return ['fraction' => 0.0, 'feedback' => ''];
}

// -- all of it -----------------------------------------------------------------------------------------------------------

$source = file_get_contents($argv[1]);
if (!str_starts_with($source, '<?xml')) {
    complain('the file does not begin with the XML declaration');
}
$document = new DOMDocument();
if (!$document->loadXML($source, LIBXML_NONET | LIBXML_PARSEHUGE)) {
    complain('not well-formed');
}
$category = '';
$questions = [];
$known = [];
foreach (children($document->documentElement, 'question') as $q) {
    if ($q->getAttribute('type') === 'category') {
        $category = text($q, 'category', 'text');
        continue;
    }
    $read = question($q, $category);
    if ($read['idnumber'] === '' || isset($known[$category . "\0" . $read['idnumber']])) {
        complain("{$read['name']}: the idnumber is missing or taken");
    }
    $known[$category . "\0" . $read['idnumber']] = true;
    $questions[$read['idnumber']] = $read;
}
$marks = [];
foreach (json_decode(stream_get_contents(STDIN) ?: '[]', true, 64, JSON_THROW_ON_ERROR) as $one) {
    $marks[] = mark($questions[$one['idnumber']], $one['field'], $one['response']);
}
$out = ['questions' => array_values($questions), 'marks' => $marks, 'errors' => $errors];
echo json_encode($out, JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION);
