/**
 * The script of the public pages of scheduling. Without it they work too: it shows the times of the visitor's device,
 * applies a chosen time zone at once, and reports the height to the site that embeds
 * the page, where browsers refuse `autofocus`.
 */
export const pageScript = `
const { zone, embed } = document.documentElement.dataset
const own = Intl.DateTimeFormat().resolvedOptions().timeZone
const url = new URL(location)
if (zone && own && own !== zone && !url.searchParams.has('tz')) {
  url.searchParams.set('tz', own)
  location.replace(url)
}
for (const select of document.querySelectorAll('select[name=tz]'))
  select.addEventListener('change', () => select.form.requestSubmit())
for (const form of document.querySelectorAll('form[method=post]'))
  form.addEventListener('submit', event => {
    if (form.ariaBusy === 'true') event.preventDefault()
    form.ariaBusy = 'true'
  })
addEventListener('pageshow', () => {
  for (const form of document.forms) form.ariaBusy = null
})
if (embed && parent !== self) {
  const report = () => parent.postMessage({ type: 'booking-height', height: document.body.scrollHeight }, '*')
  new ResizeObserver(report).observe(document.body)
  report()
  document.querySelector('.alert')?.focus()
}
`
