// Robot checks and logins as they are served, and pages of content that carry the same scripts and forms.
import { describe, expect, test } from 'vitest'
import { blockedPages } from '../../../test/blocked-pages.ts'
import { readShared, sharedNames } from '../../../test/shared.ts'
import { describeShared } from '../../../test/shared-tests.ts'
import { readObstacle } from './challenge.ts'

test.each(blockedPages)('%s is a challenge', (_name, html) => {
  expect(readObstacle(html)).toBe('challenge')
})

describeShared('saved pages of portals', () => {
  const pagesOf = (folder: string) =>
    sharedNames(`fixtures/${folder}`, '.html').map(name => `fixtures/${folder}/${name}`)

  test.each([...pagesOf('listing-detail'), ...pagesOf('listing-search')])('%s is content', path => {
    expect(readObstacle(readShared(path))).toBeNull()
  })
})

describe('short pages', () => {
  const rows: [what: string, html: string, obstacle: ReturnType<typeof readObstacle>][] = [
    [
      'a robot check in Spanish',
      '<title>Portal</title><main><h1>Confirma que no eres un robot</h1></main>',
      'challenge',
    ],
    [
      'a refusal',
      '<html><head><title>Access Denied</title></head><body>Reference #18</body></html>',
      'challenge',
    ],
    ['a puzzle', '<title>x</title><body><p>Press &amp; Hold to confirm</p></body>', 'challenge'],
    ['a mark without words', '<html><body><div id="px-captcha"></div></body></html>', 'challenge'],
    [
      'a login',
      '<title>Portal</title><main><h1>Inicia sesión</h1><form><input type="password" name="p"></form></main>',
      'login',
    ],
    ['a password without a word of login', '<main><p>Hola</p><input type=password></main>', null],
    ['a link to the login', '<main><h1>Piso</h1><a href="/login">Acceder</a></main>', null],
    ['an error page', '<title>404</title><main><h1>Página no encontrada</h1></main>', null],
    ['nothing', '', null],
  ]
  test.each(rows)('%s', (_what, html, obstacle) => {
    expect(readObstacle(html)).toBe(obstacle)
  })

  test('words of a robot check amid content do not count', () => {
    const words = '<p>Piso luminoso con ascensor. '.repeat(100)
    expect(
      readObstacle(`<title>Piso</title><main>${words}No soy un robot <input type=password></main>`),
    ).toBeNull()
  })
})
