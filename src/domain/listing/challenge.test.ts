/** Detects robot checks and logins, but not content pages with the same scripts and forms. */
import { describe, expect, test } from 'vitest'
import { blockedPages } from '../../../test/blocked-pages.ts'
import { listShared, readShared } from '../../../test/shared.ts'
import { describeShared } from '../../../test/shared-tests.ts'
import { detectObstacle } from './challenge.ts'

test.each(blockedPages)('%s is a challenge', (_name, html) => {
  expect(detectObstacle(html)).toBe('challenge')
})

describeShared('saved pages of portals', () => {
  const listPages = (folder: string) =>
    listShared(`fixtures/${folder}`, '.html').map(name => `fixtures/${folder}/${name}`)

  test.each([...listPages('listing-detail'), ...listPages('listing-search')])('%s is content', path => {
    expect(detectObstacle(readShared(path))).toBeNull()
  })
})

describe('short pages', () => {
  const rows: [what: string, html: string, obstacle: ReturnType<typeof detectObstacle>][] = [
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
    ['a marker without text', '<html><body><div id="px-captcha"></div></body></html>', 'challenge'],
    [
      'a login',
      '<title>Portal</title><main><h1>Inicia sesión</h1><form><input type="password" name="p"></form></main>',
      'login',
    ],
    ['a password field without login words', '<main><p>Hola</p><input type=password></main>', null],
    [
      'a listing with a login in its menu',
      '<main><h1>Appartamento</h1><p>€ 400 | mq 97 ca.</p><a>Accedi</a><input type="password"></main>',
      null,
    ],
    ['a link to the login', '<main><h1>Piso</h1><a href="/login">Acceder</a></main>', null],
    ['an error page', '<title>404</title><main><h1>Página no encontrada</h1></main>', null],
    ['an empty page', '', null],
  ]
  test.each(rows)('%s', (_what, html, obstacle) => {
    expect(detectObstacle(html)).toBe(obstacle)
  })

  test('robot-check phrases within content do not count', () => {
    const words = '<p>Piso luminoso con ascensor. '.repeat(100)
    expect(
      detectObstacle(`<title>Piso</title><main>${words}No soy un robot <input type=password></main>`),
    ).toBeNull()
  })
})

describe('a robot check', () => {
  const challengeScript = `<script>${'var a = "b";'.repeat(10_000)}</script>`

  test.each([
    ['en', 'Please verify that you are a human'],
    ['en', 'Checking your browser before accessing the site'],
    ['en', 'Our systems have detected unusual traffic from your network'],
    ['en', 'We need to make sure you are not a bot'],
    ['en', 'Please slide to complete the puzzle'],
    ['en', 'Please wait while we verify your browser…'],
    ['en', 'Human verification required'],
    ['es', 'Verifica que no eres un robot'],
    ['es', 'Confirma que eres una persona'],
    ['es', 'Se ha denegado el acceso a esta página'],
    ['es', 'Desliza para completar el puzle'],
    ['es', 'Resuelve el captcha para continuar'],
    ['es', 'Comprobando si la conexión del sitio es segura'],
    ['es', 'Hemos detectado actividad inusual'],
    ['ca', 'Confirma que no ets un robot'],
    ['ca', 'Confirma que ets una persona'],
    ['pt', 'Confirme que não é um robô'],
    ['pt', 'Verifique que não é um robot'],
    ['pt', 'Resolva o captcha para continuar'],
    ['pt', 'Estamos a verificar a segurança da sua ligação'],
    ['pt', 'O seu acesso foi bloqueado'],
    ['pt', 'Detetámos tráfego invulgar'],
    ['fr', 'Confirmez que vous n’êtes pas un robot'],
    ['fr', 'Vérifiez que vous êtes humain'],
    ['fr', 'Confirmez que vous êtes un être humain'],
    ['fr', 'Faites glisser pour compléter le puzzle'],
    ['fr', 'Merci de résoudre le captcha'],
    ['it', 'Conferma che non sei un robot'],
    ['it', 'Verifica di non essere un robot'],
    ['it', 'Abbiamo rilevato attività sospette'],
    ['it', 'Risolvi il captcha'],
    ['it', 'Stiamo verificando la sicurezza della connessione'],
    ['it', 'Abbiamo rilevato traffico insolito'],
    ['de', 'Bitte bestätigen Sie, dass Sie kein Roboter sind'],
    ['de', 'Bitte bestätigen Sie, dass Sie ein Mensch sind'],
    ['de', 'Du bist ein Mensch aus Fleisch und Blut? Entschuldige bitte'],
    ['de', 'Bestätigen Sie, dass Sie kein Bot sind'],
    ['de', 'Bitte lösen Sie das Captcha'],
    ['de', 'Wir prüfen, ob Ihre Verbindung sicher ist'],
    ['de', 'Ungewöhnlicher Datenverkehr aus Ihrem Netzwerk'],
    ['nl', 'Bevestig dat u geen robot bent'],
    ['nl', 'Bevestig dat u een mens bent'],
    ['pl', 'Potwierdź, że nie jesteś robotem'],
  ])('in %s: %s', (_language, words) => {
    expect(detectObstacle(`<title>Portal</title>${challengeScript}<main><p>${words}</p></main>`)).toBe(
      'challenge',
    )
  })

  test.each([
    'Just a moment...',
    'Un momento…',
    'Um momento…',
    'Un instant…',
    'Nur einen Moment…',
    'Accès refusé',
    'Acesso negado',
    'Accesso negato',
    'Zugriff verweigert',
    'Odmowa dostępu',
    'Vérification en cours…',
  ])('is titled %s', title => {
    expect(detectObstacle(`<title>${title}</title><body>${challengeScript}</body>`)).toBe('challenge')
    expect(detectObstacle(`<title>Portal</title><body><h1>${title}</h1></body>`)).toBe('challenge')
  })

  test('of 119 KB is detected by its marker, because it has hardly any text', () => {
    const html = `<html><body><div id="px-captcha"></div><script>${'x'.repeat(119_000)}</script></body></html>`
    expect(detectObstacle(html)).toBe('challenge')
  })
})

describe('a short page that is not a robot check', () => {
  test.each([
    'Este sitio está protegido por reCAPTCHA. Desliza para ver más fotos',
    'Anuncio no disponible: el anunciante lo ha eliminado',
    'Casa per una persona o due, con verifica degli impianti',
  ])('%s', words => {
    expect(detectObstacle(`<title>Portal</title><main><h1>Portal</h1><p>${words}</p></main>`)).toBeNull()
  })
})

describe('a short page of a listing', () => {
  test.each([
    'Urbanización con control de seguridad y acceso restringido',
    'Piso reformado, cocina con robot y un momento de paz',
    'Sie wollen kein Roboter-Mäher? Der Garten ist klein',
    'Acceso bloqueado a vehículos, no eres un robot: te gustará',
    'Residence con controllo di sicurezza e accesso negato ai cani',
  ])('%s', words => {
    expect(
      detectObstacle(
        `<title>Piso en venta</title><main><h1>Piso en Gràcia</h1><p>374.000 €</p><p>${words}</p></main>`,
      ),
    ).toBeNull()
  })
})
