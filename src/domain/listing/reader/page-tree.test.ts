/** The tree of a page, and its bounds. */
import { describe, expect, test } from 'vitest'
import { collectMeta, extractNodeLines, extractNodeText, findFirst, parsePageTree } from './page-tree.ts'

describe('the tree', () => {
  test('has elements with decoded attributes and texts, and scripts apart', () => {
    const tree = parsePageTree(
      '<body><h1 title="A &amp; B">Piso <b>en venta</b></h1><style>h1{}</style><script id=x>var a = "<p>"</script></body>',
    )
    const heading = findFirst(tree, 'h1')!
    expect(heading.attributes).toEqual({ title: 'A & B' })
    expect(extractNodeText(heading)).toBe('Piso en venta')
    expect(tree.scripts).toEqual([{ attributes: { id: 'x' }, text: 'var a = "<p>"' }])
    expect(extractNodeText(tree.root)).toBe('Piso en venta')
  })

  test('closes elements whose closing tags are missing', () => {
    const tree = parsePageTree('<dl><dt>Rooms<dd>3<dt>Area<dd>86 m²</dl><p>One<p>Two')
    const names = tree.nodes.map(({ name, parent }) => `${parent!.name} ${name}`)
    expect(names).toEqual(['#root dl', 'dl dt', 'dl dd', 'dl dt', 'dl dd', '#root p', '#root p'])
  })

  test('keeps the lines of blocks', () => {
    const tree = parsePageTree('<div>First<br>second<p>third <i>part</i></p></div>')
    expect(extractNodeLines(tree.root)).toBe('First\nsecond\nthird part')
  })

  test('collects meta elements in page order', () => {
    const tree = parsePageTree('<meta property="og:image" content="/1"><meta name="OG:image" content="/2">')
    expect(collectMeta(tree).get('og:image')).toEqual(['/1', '/2'])
  })
})

describe('bounds', () => {
  test('a deep page keeps its texts without deep nesting', () => {
    const tree = parsePageTree(`${'<div>'.repeat(10_000)}Text`)
    let depth = 0
    for (let node = tree.nodes.at(-1)!; node.parent !== null; node = node.parent) depth += 1
    expect(depth).toBeLessThan(1000)
    expect(extractNodeText(tree.root, 20_000)).toBe('Text')
  })

  test.each(['<i>', '</b>', '<i></b>', '<p>', '<b a=1>x', '< ', '&amp;', '<svg>'])(
    'of 8 MB of %s a limited part is kept',
    html => {
      const { root, nodes } = parsePageTree(html.repeat(8e6 / html.length))
      expect(nodes.length).toBeLessThan(13_500)
      expect(root.children.length).toBeLessThan(110_000)
    },
  )

  test('scripts after the part that is parsed are found', () => {
    const tree = parsePageTree(`${'<i>'.repeat(100_000)}<script id="state">{}</script>`)
    expect(tree.scripts).toEqual([{ attributes: { id: 'state' }, text: '{}' }])
  })

  test.each(['', '<', '<script>', '</div></div>', '<!--', '\0<a b=', '<svg><script>1</script>'])(
    'reads %j',
    html => {
      expect(() => parsePageTree(html)).not.toThrow()
    },
  )
})
