/** Detects pages that are a robot check or a login instead of the requested content. */

import { toPlainWords } from '../plain-words.ts'
import { isChallengeTitle, robotWords } from './challenge-words.ts'
import { extractText, findElement } from './html.ts'

// Markers that only occur on robot checks. Scripts that the same vendors add to ordinary pages are not listed.
const challengeMarkers = [
  'window._cf_chl_opt',
  '/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page',
  'geo.captcha-delivery.com',
  'id="px-captcha"',
  '_Incapsula_Resource?SWUDNSAI',
  'Incapsula incident ID',
  'sec-if-cpt-container',
  'distilIdentificationBlock',
  'AwsWafIntegration.checkForceRefresh',
  'window.gokuProps',
  '/_sec/cp_challenge/',
]
const loginWords =
  /\b(inicia(r)? sesion|identificate|acceder|acceso|entrar|log ?in|sign ?in|anmelden|se connecter|accedi)\b/
// Characters. A content page has more text than this; a robot check or login has little text, however long its script.
const textLengthMax = 1500
// Characters of HTML. A shorter page with a challenge marker is a robot check.
const markedHtmlLengthMax = 100_000
/** Every listing has a price or an area; no robot check or login has. */
const priceOrArea = /\d ?(?:€|eur\b|£|zł|m²|m2\b|mq\b|qm\b)|[€£] ?\d/

/**
 * The obstacle: `challenge` (a robot check), `login`, or null for a content page. Content pages can have the same
 * scripts and forms, so phrases only count on a page with little other text.
 */
export function detectObstacle(html: string): 'challenge' | 'login' | null {
  const title = extractWords(findElement(html, 'title')?.inner ?? '')
  const hasMarker = challengeMarkers.some(marker => html.includes(marker))
  if (hasMarker && html.length < markedHtmlLengthMax) return 'challenge'
  const main = findElement(html, 'main') ?? findElement(html, 'body')
  const words = extractWords(main?.inner ?? html)
  if (words.length > textLengthMax) return null
  if (hasMarker) return 'challenge'
  const heading = extractWords(findElement(html, 'h1')?.inner ?? '')
  const containsPhrase = (pattern: RegExp) => pattern.test(title) || pattern.test(words)
  if (priceOrArea.test(words)) return null
  if (containsPhrase(robotWords) || [title, heading].some(isChallengeTitle)) return 'challenge'
  return /<input[^<>]+type=["']?password/i.test(html) && containsPhrase(loginWords) ? 'login' : null
}

function extractWords(html: string): string {
  return toPlainWords(extractText(html, textLengthMax + 1)).replaceAll('’', "'")
}
