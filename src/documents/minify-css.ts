/** CSS that is written to be read, sent without the white space. */
export function minifyCss(css: string): string {
  return css
    .replace(/\s+/g, ' ')
    .replace(/ ?([{}:;,>]) ?/g, '$1')
    .replaceAll(';}', '}')
    .trim()
}
