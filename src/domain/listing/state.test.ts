/** Page states in every form in which portals embed them. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '../../../test/characters.ts'
import { readShared } from '../../../test/shared.ts'
import { describeShared, testShared } from '../../../test/shared-tests.ts'
import { findStates, getPath, parseFlightRows, parseState } from './state.ts'

const readPage = (path: string) => readShared(`fixtures/${path}.html`)

describe('the state with a given name', () => {
  const json = '{"a":"</p> }; \\" é","b":[1]}'
  const value = JSON.parse(json)
  test.each([
    ['a script of JSON', `<script id="STATE" type="application/json">${json}</script>`],
    [
      'its attributes in another order',
      `<script type='application/json' nonce=1 id='STATE'>\n${json}\n</script>`,
    ],
    ['an id without quotes', `<script id=STATE type=application/json>${json}</script>`],
    ['a comment around it', `<script id="STATE" type="application/json"><!--${json}--></script>`],
    ['a variable', `<script>window.STATE = ${json};</script>`],
    ['a variable by key', `<script>window["STATE"]=${json}</script>`],
    ['another by key', `<script>self['STATE'] =\n${json}</script>`],
    ['a declaration', `<script>var x = 1, STATE=${json}, y</script>`],
    ['a string to parse', `<script>window.STATE = JSON.parse(${JSON.stringify(json)});</script>`],
    ['a string in single quotes', `<script>STATE=JSON.parse('${json.replaceAll('\\', '\\\\')}')</script>`],
    ['a script id and a variable of the same name', `<script id="STATE">window["STATE"]=${json}</script>`],
    [
      'a variable after other uses of the name',
      `<a id="STATE">x</a><script>if(window.STATE==1||STATE=>2)f(STATE,MY_STATE={},STATES=1);STATE=${json}</script>`,
    ],
    ['a page truncated after it', `<script id="STATE" type="application/json">${json}`],
  ])('in %s', (_form, html) => {
    expect(parseState(`<p>STATE</p>${html}`, 'STATE')).toEqual(value)
  })

  test.each([
    ['no state', '<p>nothing</p>'],
    ['a truncated state', '<script>STATE={"a":[1,'],
    ['a computed state', '<script>STATE=load()</script>'],
    ['other names', '<script>THE_STATE={};STATE2={};$STATE={}</script>'],
    ['an element that is not a script', '<div id="STATE">{"a":1}</div>'],
  ])('is undefined: %s', (_what, html) => {
    expect(parseState(html, 'STATE')).toBeUndefined()
  })

  test('may occur several times', () => {
    const html = '<script>STATE={"a":1};STATE=f();STATE=[2]</script><script id="STATE">{"c":3}</script>'
    expect([...findStates(html, 'STATE')]).toEqual([{ a: 1 }, [2], { c: 3 }])
  })

  test('is read by path; a missing path is undefined', () => {
    const state = { list: [{ name: 'x' }], none: null }
    expect(getPath(state, 'list', 0, 'name')).toBe('x')
    expect(getPath(state)).toBe(state)
    for (const path of [
      ['list', 1, 'name'],
      ['none', 'x'],
      ['toString'],
      ['list', 'map'],
      ['list', 0, 'name', 'length'],
    ])
      expect(getPath(state, ...path)).toBeUndefined()
  })
})

describeShared('saved pages', () => {
  test.each<[page: string, name: string, path: (string | number)[], value: unknown]>([
    [
      'listing-search/fotocasa-es-2026-girones-sale-p1',
      '__INITIAL_PROPS__',
      ['initialSearch', 'result', 'count'],
      1793,
    ],
    [
      'listing-detail/fotocasa-es-2026-190280914-reduced',
      '__initial_props__',
      ['realEstate', 'price'],
      68000,
    ],
    [
      'listing-detail/immowelt-de-2026-serverstate',
      '__UFRN_LIFECYCLE_SERVERREQUEST__',
      ['app_cldp', 'data', 'classified', 'brand'],
      'immowelt',
    ],
    [
      'listing-detail/seloger-fr-2026-254287619',
      '__UFRN_LIFECYCLE_SERVERREQUEST__',
      ['app_cldp', 'data', 'classified', 'id'],
      '25DDS4IB2HFX',
    ],
    ['listing-detail/rightmove-uk-2026-171844895-served', 'PAGE_MODEL', ['propertyData', 'id'], '171844895'],
    [
      'listing-detail/daft-ie-2026-6477069',
      '__NEXT_DATA__',
      ['props', 'pageProps', 'listing', 'id'],
      6477069,
    ],
    [
      'listing-detail/sparkasse-de-2026',
      '__NEXT_DATA__',
      ['props', 'pageProps', 'estate', 'id'],
      'FID-F12-839-993',
    ],
    ['listing-detail/immoweb-be-2026-21317238', 'classified', ['id'], 21317238],
    ['listing-detail/zoopla-uk-2026-71365505', '__ZAD_TARGETING__', ['area_name'], 'Herne Bay'],
    ['listing-detail/idealista-es-2017-1678322', 'mapConfig', ['latitude'], '40.732845'],
  ])('%s: %s', (page, name, path, value) => {
    expect(getPath(parseState(readPage(page), name), ...path)).toBe(value)
  })

  test('all listings of a result page are found', () => {
    const state = parseState(readPage('listing-search/fotocasa-es-2026-girones-sale-p1'), '__INITIAL_PROPS__')
    expect(getPath(state, 'initialSearch', 'result', 'realEstates')).toHaveLength(30)
  })

  test('variables with more than literals', () => {
    const html = readPage('listing-detail/fotocasa-es-2018-145228694')
    const [site, listing] = [...findStates(html, 'utag_data')]
    expect(site).toMatchObject({ site: 'Fotocasa' })
    expect(listing).toMatchObject({ ad_id: '145228694', mts2: '400', company: 'MB MARBELLA BANUS' })
    expect(getPath(listing, 'features_id', 0)).toBe(1)
    const gallery = parseState(readPage('listing-detail/idealista-es-2026-106387165'), 'adMultimediasInfo')
    expect(getPath(gallery, 'fullScreenGalleryPics', 0, 'multimediaId')).toBe(1382500227)
  })
})

describe('rows of a streamed page', () => {
  const push = (text: string) => `<script>self.__next_f.push([1,${JSON.stringify(text)}])</script>`

  test('are parsed across chunks, with text lengths in bytes', () => {
    const html = [
      '<script>(self.__next_f=self.__next_f||[]).push([0])</script>',
      push('1:"$Sreact.fragment"\n2:I[7,["a.js"],"default"]\n3:{"price":55'),
      push('0,"at":"$4"}\n4:T7,é\n:"x\n5:["$","p",null,{"children":"a"}]\n:HL["x.css","style"]\n'),
    ].join('')
    expect([...parseFlightRows(html)]).toEqual([
      ['1', '$Sreact.fragment'],
      ['3', { price: 550, at: '$4' }],
      ['4', 'é\n:"x\n'],
      ['5', ['$', 'p', null, { children: 'a' }]],
    ])
  })

  testShared('of a saved page contain its listing', () => {
    const rows = parseFlightRows(readPage('listing-detail/zoopla-uk-2026-71365505'))
    expect(rows.size).toBeGreaterThan(100)
    const texts = [...rows.values()].filter(row => typeof row === 'string')
    expect(texts.some(text => text.startsWith('This exquisite Victorian Villa'))).toBe(true)
    expect(JSON.stringify([...rows.values()])).toContain('"latitude":51.36907')
  })
})

describe('arbitrary text', () => {
  const chunks = [
    'STATE',
    '<script id="',
    '">',
    '</script>',
    '=',
    '{',
    '}',
    '"',
    'JSON.parse("',
    '")',
    '[',
    ']',
    '\\',
    'self.__next_f.push([1,"',
    '1:',
    'T',
    ',',
  ]
  test('never makes parsing fail', () => {
    const page = fc.array(
      fc.oneof(fc.constantFrom(...chunks), fc.string({ unit: anyCharacter, maxLength: 3 })),
      {
        maxLength: 40,
      },
    )
    fc.assert(
      fc.property(page, list => {
        const html = list.join('')
        parseState(html, 'STATE')
        parseFlightRows(html)
        parseFlightRows(`__next_f.push([1,${JSON.stringify(html)}`)
      }),
      { numRuns: 500 },
    )
  })

  test('is parsed in bounded time, however long', () => {
    const before = process.threadCpuUsage()
    for (const chunk of [
      ...chunks,
      'STATE=[',
      'STATE={"',
      'STATE=JSON.parse("',
      '<script id="STATE">',
      '1:T0,',
      'x:',
    ])
      parseState(chunk.repeat(10_000), 'STATE')
    for (const chunk of chunks) parseFlightRows(chunk.repeat(10_000))
    parseFlightRows(`__next_f.push([1,"${'1:T0,'.repeat(10_000)}"`)
    expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(5000)
  })
})
