/** Robot checks: written samples of the common providers, and real pages if `../shared` exists. */
import { hasShared, listShared, readShared } from './shared.ts'

const writtenPages: [name: string, html: string][] = [
  [
    'a page that asks for scripts and loads a captcha',
    `<html lang="es"><head><title>portal.example</title></head><body><p id="m">Please enable JS and disable any ad blocker</p>
<script>var dd={'rt':'c','host':'geo.captcha-delivery.com'}</script><script src="https://ct.captcha-delivery.com/c.js"></script></body></html>`,
  ],
  [
    'a page to wait on while the browser is checked',
    `<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title><meta name="robots" content="noindex,nofollow"></head>
<body><noscript><p>Enable JavaScript and cookies to continue</p></noscript>
<script src="/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1"></script></body></html>`,
  ],
]

export const blockedPages: [name: string, html: string][] = [
  ...writtenPages,
  ...(hasShared
    ? listShared('fixtures/blocked-pages', '.html').map((name): [string, string] => [
        name,
        readShared(`fixtures/blocked-pages/${name}`),
      ])
    : []),
]
