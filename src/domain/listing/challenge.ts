/** Is a page a robot check or a login instead of the content that was asked for? */

import { toPlainWords } from '../plain-words.ts'
import { isChallengeTitle, robotWords } from './challenge-words.ts'
import { extractText, findElement } from './html.ts'

// What robot checks alone carry: the scripts that their makers put on ordinary pages as well are not here.
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
// A page of content says more than this; a robot check or a login form hardly anything, however long its script is.
const wordsLengthMax = 1500
const markedLengthMax = 100_000
/** What every advert says, and no robot check: a price or an area. */
const priceOrArea = /\d ?(?:€|eur\b|£|zł|m²|m2\b|mq\b|qm\b)|[€£] ?\d/

/**
 * What stands in the way: `challenge` (a robot check), `login`, or null for a page of content.
 * Pages of content carry scripts and forms of both kinds, so that words count only on a page that says little else.
 */
export function detectObstacle(html: string): 'challenge' | 'login' | null {
  const title = extractWords(findElement(html, 'title')?.inner ?? '')
  const hasMarker = challengeMarkers.some(marker => html.includes(marker))
  if (hasMarker && html.length < markedLengthMax) return 'challenge'
  const main = findElement(html, 'main') ?? findElement(html, 'body')
  const words = extractWords(main?.inner ?? html)
  if (words.length > wordsLengthMax) return null
  if (hasMarker) return 'challenge'
  const heading = extractWords(findElement(html, 'h1')?.inner ?? '')
  const containsPhrase = (pattern: RegExp) => pattern.test(title) || pattern.test(words)
  if (!priceOrArea.test(words) && (containsPhrase(robotWords) || [title, heading].some(isChallengeTitle)))
    return 'challenge'
  return /<input[^<>]+type=["']?password/i.test(html) && containsPhrase(loginWords) ? 'login' : null
}

function extractWords(html: string): string {
  return toPlainWords(extractText(html).slice(0, wordsLengthMax + 1)).replaceAll('’', "'")
}
