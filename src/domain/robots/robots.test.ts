/**
 * Cases of the reference matcher, test sets of other crawlers, and real sites. Checks the wildcard matcher against its
 * definition.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '../../../test/characters.ts'
import { readShared } from '../../../test/shared.ts'
import { describeShared, testShared } from '../../../test/shared-tests.ts'
import { getCrawlDelaySeconds, isAllowed, parseRobots, patternMatches } from './robots.ts'

const fixture = (name: string) => readShared(`fixtures/robots/${name}`)

interface GoogleCase {
  test: string
  robotsTxt: string
  userAgent: string
  url: string
  allowed: boolean
}

/** The path as a client sends it: everything after the host, as written. */
function toPath(url: string): string {
  return url.replace(/^https?:\/\/[^/]*/, '')
}

// Google's `Allow: /dir/index.html` also allows `/dir/`; that of RFC 9309 does not.
const isBeyondRfc = (example: GoogleCase) =>
  example.test === 'GoogleOnly_IndexHTMLisDirectory' && example.url.endsWith('/')

describeShared('the cases of the reference matcher', () => {
  const cases = JSON.parse(fixture('google-robotstxt-cases.json')) as GoogleCase[]
  const rfcCases = cases.filter(example => !isBeyondRfc(example))

  test('all but one follow RFC 9309', () => {
    expect(cases.length - rfcCases.length).toBe(1)
    expect(rfcCases.length).toBe(70)
  })

  test.each(rfcCases)('$test: $userAgent at "$url" is allowed: $allowed', example => {
    const robots = parseRobots(example.robotsTxt)
    expect(isAllowed(robots, example.userAgent, toPath(example.url))).toBe(example.allowed)
  })
})

describe('RFC 9309 beyond those cases', () => {
  const only = (line: string) => parseRobots(`User-agent: *\nAllow: /\n${line}`)
  const rows: [line: string, path: string, allowed: boolean, why: string][] = [
    ['Disallow: /foo/bar?baz=quz', '/foo/bar?baz=quz', false, 'the query is part of the path'],
    ['Disallow: /foo/bar/ツ', '/foo/bar/%e3%83%84', false, 'the case of escapes does not matter'],
    ['Disallow: /foo/bar/%E3%83%84', '/foo/bar/ツ', false, 'an unescaped path is escaped first'],
    ['Disallow: /foo/bar/%62%61%7A', '/foo/bar/baz', false, 'an escaped letter is the letter'],
    ['Disallow: /~ana/', '/%7Eana/x', false, 'also if the path escapes it'],
    ['Disallow: /a%2Fb', '/a/b', true, 'an escaped reserved character is not the character'],
    ['Disallow: /file-%2A.html', '/file-*.html', false, '%2A is a literal star'],
    ['Disallow: /file-%2A.html', '/file-1.html', true, 'and not a wildcard'],
    ['Disallow: /a$b', '/a$b', false, 'a dollar in the middle is literal'],
    ['Disallow: /a%24$', '/a$', false, '%24 is a literal dollar'],
    ['Disallow: /*.jpg$', '/x.jpg.jpg', false, 'the last occurrence counts when the end is anchored'],
    ['Disallow: /a*b$', '/ab', false, 'a star may stand for nothing'],
    ['Disallow: /ab*ab$', '/ab', true, 'two parts do not share characters'],
    ['Disallow: /x#y', '/x', false, 'a comment starts at #'],
    ['Disallow: /x', '/robots.txt', true, 'robots.txt itself is always allowed'],
    ['Disallow: /*', '/robots.txt', true, 'even if everything is disallowed'],
    ['Disallow: /x', '', true, 'an empty path is the root'],
    ['Disallow: /x', '/#/x', true, 'a fragment is not part of the path'],
    ['DISSALOW : /x', '/x', false, 'a common misspelling is accepted'],
  ]
  test.each(rows)('%s against "%s" is allowed: %s (%s)', (line, path, allowed) => {
    expect(isAllowed(only(line), 'Aldaba', path)).toBe(allowed)
  })

  test('separate groups of one agent are merged, and a crawl delay belongs to its group', () => {
    const robots = parseRobots(`\ufeffUser-agent: Aldaba
Disallow: /a
Noindex: /n

User-agent: other
Crawl-delay: 2
Sitemap: https://portal.example/One.xml

user-agent: aldaba
Request-rate: 1/5
Disallow: /b
User-agent: *
Disallow: /c
sitemap: /two.xml`)
    expect(['/a', '/b', '/c', '/n'].map(path => isAllowed(robots, 'Aldaba', path))).toEqual([
      false,
      false,
      true,
      true,
    ])
    expect(['/a', '/c'].map(path => isAllowed(robots, 'third', path))).toEqual([true, false])
    expect(['Aldaba', 'other'].map(token => getCrawlDelaySeconds(robots, token))).toEqual([null, 2])
    expect(robots.sitemaps).toEqual(['https://portal.example/One.xml', '/two.xml'])
  })

  testShared('groups of one agent are merged, as in the example of the RFC', () => {
    const robots = parseRobots(fixture('cc-rfc9309-example-rule-group-merging.txt'))
    expect(['/foo', '/bar', '/baz'].map(path => isAllowed(robots, 'ExampleBot', path))).toEqual([
      false,
      false,
      false,
    ])
    expect(['/foo', '/baz'].map(path => isAllowed(robots, 'BazBot', path))).toEqual([true, false])
    expect(['/foo', '/baz'].map(path => isAllowed(robots, 'Aldaba', path))).toEqual([false, true])
  })

  test('a file without groups, an empty file and an HTML page disallow nothing', () => {
    for (const text of [
      '',
      'Sitemap: /s.xml',
      'Disallow: /',
      '<html><body>User-agent: *<br>Disallow: /</body></html>',
    ])
      expect(isAllowed(parseRobots(text), 'Aldaba', '/x')).toBe(true)
  })

  test.each([['\n'], ['\r'], ['\r\n']])('lines may end with %j', end => {
    const robots = parseRobots(['User-agent: *', 'Disallow: /x', '', 'Allow: /x/y'].join(end))
    expect([isAllowed(robots, 'Aldaba', '/x/z'), isAllowed(robots, 'Aldaba', '/x/y')]).toEqual([false, true])
  })

  test('names of built-in object properties are neither directives nor agents', () => {
    const robots = parseRobots('User-agent: constructor\n__proto__: 1\nCrawl-delay: 7\nDisallow: /')
    expect(isAllowed(robots, 'toString', '/x')).toBe(true)
    expect(getCrawlDelaySeconds(robots, 'toString')).toBeNull()
    expect(getCrawlDelaySeconds(robots, 'constructor')).toBe(7)
  })

  test('reads 500 KiB, and drops the line that the limit truncates', () => {
    const padding = `# ${'x'.repeat(97)}\n`.repeat(5119)
    const truncated = `User-agent: *\n${padding}`
    expect(truncated.length).toBeLessThan(500 * 1024)
    const robots = parseRobots(`${truncated}Disallow: /a\nDisallow: /${'b'.repeat(200)}`)
    expect(isAllowed(robots, 'Aldaba', '/a')).toBe(false)
    expect(isAllowed(robots, 'Aldaba', '/bb')).toBe(true)
    expect(robots.groups[0]!.rules).toHaveLength(1)
  })
})

describeShared('files of other crawlers and of sites', () => {
  const allowed = (name: string, token: string, paths: string[]) => {
    const robots = parseRobots(fixture(name))
    return paths.map(path => isAllowed(robots, token, path))
  }

  test('rules of merged groups', () => {
    const paths = ['/foo/bar', '/tmp/bar', '/ckh/bar', '/']
    expect(allowed('cc-merge-rules.txt', 'wget', paths)).toEqual([true, false, true, true])
    expect(allowed('cc-merge-rules.txt', 'curl', paths)).toEqual([false, false, false, false])
    expect(allowed('cc-merge-rules.txt', 'Aldaba', paths)).toEqual([false, false, true, true])
  })

  test('extension lines do not end a list of agents', () => {
    const paths = ['/private/', '/login/', '/x']
    expect(allowed('cc-extensions-group-merging.txt', 'mybot', paths)).toEqual([false, false, true])
    expect(allowed('cc-extensions-group-merging.txt', 'yourbot', paths)).toEqual([false, false, true])
    expect(allowed('cc-extensions-group-merging.txt', 'Aldaba', ['/x', '/llms.txt'])).toEqual([false, true])
  })

  test('common misspellings of directives are accepted', () => {
    // A product token has no digits: without this, all crawlers of the file would be the same.
    const letters = fixture('cc-directive-typos-robots.txt').replace(
      /bot(\d)/g,
      (_bot, index) => `bot-${'abcde'[index]}`,
    )
    const robots = parseRobots(letters)
    const isFree = (token: string, path: string) => isAllowed(robots, token, path)
    expect([isFree('bot-b', '/desallow/'), isFree('bot-b', '/dissalow/')]).toEqual([true, false])
    expect([isFree('bot-c', '/useragent/'), isFree('bot-d', '/useg-agent/')]).toEqual([false, true])
    expect([isFree('bot-e', '/useragent-no-colon/'), isFree('bot-e', '/useragent/')]).toEqual([false, true])
  })

  test('a malformed escape is compared literally', () => {
    expect(
      allowed('cc-malformed-path.txt', 'Aldaba', [
        '/wiki/Wikipedia_talk%3Mediation_Committee/x',
        '/wiki/Wikipedia_talk:Mediation_Committee/x',
        '/wiki/x',
      ]),
    ).toEqual([false, false, true])
  })

  test.each(['cc-robots-with-utf8-bom.txt', 'cc-robots-with-utf16be-bom.txt'])(
    '%s: a byte order mark is ignored',
    name => {
      expect(allowed(name, 'Aldaba', ['/profile', '/a/output/print', '/x'])).toEqual([false, false, true])
      expect(parseRobots(fixture(name)).sitemaps).toEqual(['http://www.newsweek.com/sitemap_index.xml'])
    },
  )

  test('leading, inner and trailing wildcards', () => {
    expect(
      allowed('cc-wildcards.txt', 'Aldaba', [
        '/gp/cart',
        '/x/gcrnsts',
        '/gp/wishlist/universal-1',
        '/gp/wishlist/x',
        '/dp/shipping/1',
        '/dp/1',
      ]),
    ).toEqual([false, false, true, false, false, true])
    expect(allowed('cc-wildcards.txt', 'EtaoSpider', ['/dp/1'])).toEqual([false])
  })

  test('crawl delays, and unknown directives about speed', () => {
    expect(getCrawlDelaySeconds(parseRobots(fixture('cc-astore.amazon.com-robots.txt')), 'Aldaba')).toBe(5)
    expect(getCrawlDelaySeconds(parseRobots(fixture('cc-extended-standard-robots.txt')), 'bot1')).toBeNull()
    const robots = parseRobots(
      'User-agent: a\nCrawl-delay: 2.5\nUser-agent: b\nDisallow: /x\nUser-agent: *\nCrawl-delay: no',
    )
    expect(['a', 'B', 'c'].map(token => getCrawlDelaySeconds(robots, token))).toEqual([2.5, null, null])
    expect(isAllowed(robots, 'a', '/x')).toBe(false)
  })

  test('sitemaps anywhere, absolute or relative, with their case', () => {
    expect(parseRobots(fixture('cc-sitemap-robots.txt')).sitemaps).toEqual([
      'http://domain.com/sitemap.xml',
      'http://domain.com/dir/MixedCased-sitemap.xml',
    ])
    expect(parseRobots(fixture('cc-relative-sitemap-robots.txt')).sitemaps).toEqual(['/sitemap.xml'])
  })

  test('property portals', () => {
    expect(
      allowed('site-www.rightmove.co.uk.txt', 'Aldaba', [
        '/properties/1',
        '/user/x',
        '/a/contactBranch.html?x',
      ]),
    ).toEqual([true, false, false])
    expect(
      allowed('site-www.zillow.com.txt', 'Aldaba', ['/homedetails/1_zpid/', '/x/y_rid/', '/captcha/']),
    ).toEqual([true, false, false])
    expect(allowed('site-www.trulia.com.txt', 'Aldaba', ['/p/1', '/graphql'])).toEqual([true, false])
    expect(
      allowed('site-www.privateproperty.co.za.txt', 'Aldaba', ['/for-sale/1', '/Login', '/x/ftpupload/1']),
    ).toEqual([true, false, false])
  })
})

describe('the wildcard matcher', () => {
  /** Follows the definition: one character at a time, with every length for a star. */
  function matchNaively(pattern: string, path: string): boolean {
    if (pattern === '') return true
    if (pattern === '$') return path === ''
    if (pattern[0] === '*')
      return matchNaively(pattern.slice(1), path) || (path !== '' && matchNaively(pattern, path.slice(1)))
    return path[0] === pattern[0] && matchNaively(pattern.slice(1), path.slice(1))
  }
  const word = (letters: string[], maxLength: number) =>
    fc.array(fc.constantFrom(...letters), { maxLength }).map(l => l.join(''))

  test('agrees with the definition', () => {
    const pattern = fc
      .tuple(word(['a', 'b', '/', '*'], 9), fc.constantFrom('', '$'))
      .map(parts => parts.join(''))
    fc.assert(
      fc.property(pattern, word(['a', 'b', '/'], 10), (pattern, path) => {
        expect(patternMatches(pattern, path)).toBe(matchNaively(pattern, path))
      }),
      { numRuns: 5000 },
    )
  })

  test('a pattern with many stars and very long lines take little time', () => {
    const started = performance.now()
    for (const part of [' ', '#\u2028', ': ', '%', '*', 'é']) parseRobots(`Disallow ${part.repeat(200_000)}x`)
    expect(patternMatches(`/${'a*'.repeat(1000)}b$`, `/${'a'.repeat(20_000)}`)).toBe(false)
    expect(performance.now() - started).toBeLessThan(1000)
  })

  test('no text makes the parser or the matcher fail', () => {
    const line = fc.tuple(
      fc.constantFrom('User-agent', 'Allow', 'Disallow', 'Crawl-delay', 'x'),
      fc.string({ unit: anyCharacter }),
    )
    const text = fc.array(line).map(lines => lines.map(pair => pair.join(':')).join('\n'))
    fc.assert(
      fc.property(text, fc.string({ unit: anyCharacter }), (text, path) => {
        const robots = parseRobots(text)
        expect(typeof isAllowed(robots, 'Aldaba', `/${path}`)).toBe('boolean')
        getCrawlDelaySeconds(robots, 'Aldaba')
      }),
    )
  })
})
