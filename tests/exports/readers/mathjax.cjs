// The errors that MathJax finds in formulas: a list of TeX on standard input, a list of [TeX, error] on standard output.
const {mathjax} = require('mathjax-full/js/mathjax.js');
const {TeX} = require('mathjax-full/js/input/tex.js');
const {SVG} = require('mathjax-full/js/output/svg.js');
const {liteAdaptor} = require('mathjax-full/js/adaptors/liteAdaptor.js');
const {RegisterHTMLHandler} = require('mathjax-full/js/handlers/html.js');
require('mathjax-full/js/input/tex/AllPackages.js');

const adaptor = liteAdaptor();
RegisterHTMLHandler(adaptor);
const packages = ['base', 'ams', 'color', 'boldsymbol'];
const page = mathjax.document('', {InputJax: new TeX({packages}), OutputJax: new SVG()});
const found = [];
for (const formula of JSON.parse(require('fs').readFileSync(0, 'utf8'))) {
  const error = adaptor.outerHTML(page.convert(formula)).match(/data-mjx-error="([^"]*)"/);
  if (error) found.push([formula, error[1]]);
}
process.stdout.write(JSON.stringify(found));
