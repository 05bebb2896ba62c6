// Scores QTI items with TAO's own engine. Reads lines of JSON, each { number, responses } and, the first time that an item comes,
// its { item }; writes for each a line with the variables after response processing, or { error } where the engine reported one.
// The engine is made of AMD modules.
'use strict';
const path = require('path');
const readline = require('readline');
const requirejs = require('requirejs');

const root = path.dirname(require.resolve('@oat-sa/tao-item-runner-qti/package.json'));
requirejs.config({ nodeRequire: require, paths: { taoQtiItem: path.join(root, 'dist') } });
const engine = requirejs('taoQtiItem/scoring/provider/qti');
const items = new Map();

readline.createInterface({ input: process.stdin }).on('line', line => {
    const { number, item, responses } = JSON.parse(line);
    if (item) items.set(number, item);
    const errors = [];
    const scorer = { trigger: (event, error) => errors.push(String(error && error.message)) };
    engine.process.call(scorer, responses, items.get(number), (outcomes, state) => {
        const values = {};
        for (const [name, variable] of Object.entries(state)) values[name] = variable.value === undefined ? null : variable.value;
        process.stdout.write(`${JSON.stringify(errors.length ? { error: errors.join('; ') } : values)}\n`);
    });
});
