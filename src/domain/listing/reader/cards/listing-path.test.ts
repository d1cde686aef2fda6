/** Patterns of listing paths from the URLs of cards. */
import { describe, expect, test } from 'vitest'
import { deriveListingPath } from './listing-path.ts'

const toUrls = (paths: string[]) => paths.map(path => `https://www.site.example${path}`)
const derive = (...paths: string[]) => deriveListingPath(toUrls(paths))

describe('the pattern of a listing path', () => {
  test.each([
    ['a number', ['/inmueble/351/', '/inmueble/352/'], '^\\/inmueble\\/(?<listingId>\\d+)\\/$'],
    [
      'a number after a title with short numbers',
      ['/anuncio/piso-3-hab-48201', '/anuncio/casa-de-5-plantas-48202'],
      '^\\/anuncio\\/[^/]*-(?<listingId>\\d{4,})$',
    ],
    [
      'a number before a title',
      ['/huur/flat-88373769-weg-13/', '/huur/huis-42916111-straat-143/'],
      '^\\/huur\\/[^/]*-(?<listingId>\\d{7,})(?:[^\\w/][^/]*)?\\/$',
    ],
    ['a code', ['/oferta/dom-ID4oAQ1', '/oferta/pokoj-ID4ozBI'], '^\\/oferta\\/[^/]*-(?<listingId>\\w+)$'],
    [
      'letters and a number',
      ['/ingatlan/HZ011626/haz', '/ingatlan/DH417744/lakas'],
      '^\\/ingatlan\\/(?<listingId>\\w+)\\/[^/]+$',
    ],
    [
      'a UUID',
      ['a', 'b'].map(letter => `/x-6eca04ed-8da1-51f1-95da-776acaec893${letter}.html`),
      '^\\/x-(?<listingId>[\\da-fA-F-]{36})\\.html$',
    ],
    [
      'segments that differ',
      ['/vigo/centro/piso/48201', '/lugo/norte/piso/48202'],
      '^\\/[^/]+\\/[^/]+\\/piso\\/(?<listingId>\\d+)$',
    ],
    [
      'the query',
      ['/p.php?lang=es&id=AB 1', '/p.php?lang=es&id=AB 2'],
      '^\\/p\\.php\\?(?:[^#]*&)?id=(?<listingId>[^&#]+)',
    ],
  ])('with %s', (_name, paths, source) => {
    expect(derive(...paths)).toMatchObject({ pattern: { source }, matched: 2, isText: false })
  })

  test('without an id is a text, which may change', () => {
    const found = derive('/casa/del-mar', '/casa/del-monte')
    expect(found).toMatchObject({
      pattern: { source: '^\\/casa\\/(?<listingId>[^/]+?)$' },
      matched: 2,
      isText: true,
    })
    expect(found!.pattern.exec('/casa/otra')!.groups).toEqual({ listingId: 'otra' })
  })

  test('with a varying number of segments matches any of them', () => {
    const paths = ['/a/48201', '/a/b/48202', '/a/b/c/48203', '/a/d/48204', '/a/48205']
    const found = derive(...paths)!
    expect(found.matched).toBe(5)
    expect(paths.every(path => found.pattern.test(path))).toBe(true)
  })

  test('is that of most URLs', () => {
    expect(
      derive(...[27_024_863, 26_993_990, 26_993_991].map(id => `/expose/${id}.html`), '/forward?nr=291058'),
    ).toMatchObject({
      pattern: { source: '^\\/expose\\/(?<listingId>\\d+)\\.html$' },
      matched: 3,
    })
  })

  test('needs two listings', () => {
    expect(derive('/inmueble/351/')).toBeNull()
    expect(derive()).toBeNull()
    expect(deriveListingPath(['x', 'y'])).toBeNull()
  })

  test('is found in bounded time', () => {
    const paths = Array.from({ length: 300 }, (_, index) => `/${'a-'.repeat(900)}${index}`)
    const startedMs = performance.now()
    derive(...paths)
    expect(performance.now() - startedMs).toBeLessThan(2000)
  })
})
