/** The script of the phone. Without it the page works too: it is then loaded anew to show new messages. */

/** How often the page looks for new messages, while somebody sees it and has used it within an hour. */
export const pollMs = 1500

export const phoneScript = `
const list = document.querySelector('ol')
const scroller = list.parentElement
const form = document.querySelector('.write')
const text = form?.querySelector('textarea')
const photo = form?.querySelector('[type=file]')
let version = list.dataset.version
let waitMs = ${pollMs}
let timer
let usedAt = Date.now()

async function refresh() {
  clearTimeout(timer)
  try {
    const reply = await fetch(list.dataset.source + '?version=' + version)
    if (reply.status === 404) return location.reload()
    if (!reply.ok) throw new Error(reply.status)
    const found = await reply.json()
    version = found.version
    if (found.items) show(found.items)
    waitMs = ${pollMs}
  } catch {
    waitMs = Math.min(waitMs * 2, 60000)
  }
  clearTimeout(timer)
  if (!document.hidden && Date.now() - usedAt < 3600000) timer = setTimeout(refresh, waitMs)
}

function show(items) {
  const isAtEnd = Math.abs(scroller.scrollTop) < 80
  const ids = new Set(items.map(({ id }) => id))
  for (const old of [...list.children]) if (!ids.has(old.id)) old.remove()
  let next = list.firstElementChild
  for (const item of items) {
    if (next?.id === item.id && next.dataset.version === item.version) {
      next = next.nextElementSibling
      continue
    }
    const template = document.createElement('template')
    template.innerHTML = item.html
    const made = template.content.firstElementChild
    if (next?.id === item.id) {
      const after = next.nextElementSibling
      next.replaceWith(made)
      next = after
    } else {
      document.getElementById(item.id)?.remove()
      list.insertBefore(made, next)
    }
  }
  if (isAtEnd) scroller.scrollTop = 0
}

function use() {
  const isIdle = Date.now() - usedAt > 3600000
  usedAt = Date.now()
  if (isIdle) refresh()
}

function renewId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  form.elements.id.value = [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')
}

/** Photos of cameras are larger than what is accepted. */
async function shrink(file) {
  const image = await createImageBitmap(file)
  const scale = Math.min(1, 1600 / Math.max(image.width, image.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(image.width * scale)
  canvas.height = Math.round(image.height * scale)
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise(resolve => canvas.toBlob(resolve, 'image/jpeg', 0.85))
  return new File([blob], 'photo.jpg', { type: 'image/jpeg' })
}

async function send(target) {
  const body = new FormData(target)
  const file = body.get('photo')
  if (file?.size > 1000000) body.set('photo', await shrink(file).catch(() => file))
  const reply = await fetch(location.href, { method: 'POST', body, redirect: 'manual' })
  if (reply.type !== 'opaqueredirect') throw new Error(reply.status)
}

addEventListener('submit', async event => {
  const { target } = event
  event.preventDefault()
  if (target.ariaBusy === 'true') return
  target.ariaBusy = 'true'
  use()
  try {
    await send(target)
    if (target === form) {
      form.reset()
      renewId()
      text.focus()
    }
    target.closest('details')?.removeAttribute('open')
    await refresh()
    scroller.scrollTop = 0
  } catch {
    // The page that the server answers says what is wrong.
    target.submit()
  } finally {
    target.ariaBusy = 'false'
  }
})

text?.addEventListener('keydown', event => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
  event.preventDefault()
  form.requestSubmit()
})
photo?.addEventListener('change', () => {
  if (photo.files.length > 0) form.requestSubmit()
})
addEventListener('pointerdown', use)
addEventListener('keydown', use)
document.addEventListener('visibilitychange', () => document.hidden || refresh())
timer = setTimeout(refresh, waitMs)
`
