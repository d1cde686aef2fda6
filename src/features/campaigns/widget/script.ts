/**
 * The script of the widget. It puts the form into a shadow root beside the agency's own content, and leaves the link there if
 * it can't. It sets one global, no cookies, and requests nothing but the form of its key.
 */
import { widgetStyle } from './style.ts'

/** Forms that are sent sooner are those of machines, see `form-ticket.ts`. */
const minimumAgeMs = 2100

const source = `
(() => {
  'use strict'
  const script = document.currentScript || [...document.querySelectorAll('script[src$="/widget.js"]')].pop()
  const css = ${JSON.stringify(widgetStyle)}
  const build = node => {
    if (typeof node === 'string') return document.createTextNode(node)
    const [tag, attributes, ...children] = node
    const element = document.createElement(tag)
    for (const name in attributes) element.setAttribute(name, attributes[name])
    element.append(...children.map(build))
    return element
  }
  const call = async (url, options) => {
    const reply = await fetch(url, { credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store', signal: AbortSignal.timeout(20000), ...options })
    if (!reply.ok) throw reply
    return reply.json()
  }
  const addStyle = (root, text) => {
    try {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(text)
      root.adoptedStyleSheets = [sheet]
    } catch {
      root.append(build(['style', {}, text]))
    }
  }
  const hosts = new WeakSet()
  const mount = async (host, options = {}) => {
    if (hosts.has(host)) return
    hosts.add(host)
    const source = new URL(options.src || script.src)
    const url = new URL('form', source)
    const language = host.closest('[lang]')
    for (const [name, value] of [['lang', options.language], ['page', language && language.lang], ['theme', options.theme]])
      if (value) url.searchParams.set(name, value)
    let form
    try {
      form = await call(url)
    } catch {
      hosts.delete(host)
      console.warn('The form of ' + source.origin + ' was not loaded. Is ' + location.origin + ' one of the allowedOrigins of the widget?')
      return
    }
    const root = host.attachShadow({ mode: 'open' })
    addStyle(root, css + form.colors)
    let shownMs
    let isBusy = false
    const show = view => {
      const card = build(view)
      const before = root.querySelector('.card')
      if (before) before.replaceWith(card)
      else root.append(card)
      shownMs = Date.now()
      return card
    }
    const find = selector => root.querySelector(selector)
    const alert = text => {
      const element = find('.alert')
      element.hidden = !text
      element.textContent = text || ''
      if (text) element.focus()
    }
    const mark = (name, text) => {
      const field = find('[data-field="' + name + '"]')
      if (!field) return
      const error = field.querySelector('.error')
      error.hidden = !text
      error.textContent = text || ''
      const input = field.matches('fieldset') ? field : field.querySelector('input, textarea')
      if (text) {
        input.setAttribute('aria-invalid', 'true')
        input.setAttribute('aria-describedby', error.id)
      } else {
        input.removeAttribute('aria-invalid')
        input.removeAttribute('aria-describedby')
      }
    }
    const answer = (reply, typed) => {
      if (reply.view) {
        host.style.minHeight = host.offsetHeight + 'px'
        const card = show(reply.view)
        if (!find('form')) {
          card.querySelector('h2').focus()
          host.dispatchEvent(new CustomEvent(reply.isDone ? 'aldaba:sent' : 'aldaba:closed', { bubbles: true, composed: true }))
          return
        }
        for (const input of card.querySelectorAll('input:not([type=hidden], [type=checkbox]), textarea'))
          if (input.type === 'radio') input.checked = typed[input.name] === input.value
          else input.value = typed[input.name] || ''
      }
      for (const field of root.querySelectorAll('[data-field]')) mark(field.dataset.field, (reply.errors || {})[field.dataset.field])
      alert(reply.message)
      const first = find('[aria-invalid]')
      if (first) (first.matches('fieldset') ? first.querySelector('input') : first).focus()
    }
    show(form.view)
    root.addEventListener('input', event => {
      const field = event.target.closest('[data-field]')
      if (field) mark(field.dataset.field)
    })
    root.addEventListener('submit', async event => {
      event.preventDefault()
      const element = event.target
      if (isBusy) return
      isBusy = true
      element.setAttribute('aria-busy', 'true')
      const button = element.querySelector('button')
      const text = button.textContent
      button.textContent = element.dataset.sending
      const typed = Object.fromEntries(new FormData(element))
      await new Promise(resolve => setTimeout(resolve, Math.max(0, shownMs + ${minimumAgeMs} - Date.now())))
      let reply
      try {
        reply = await call(url, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ ...typed, page: (location.origin + location.pathname).slice(0, 500) })
        })
      } catch (error) {
        // A browser sends nothing to a form that was closed meanwhile, but it can read why.
        const { status } = error.status ? error : await call(url).catch(error => error)
        reply = { message: element.dataset[{ 404: 'closed', 429: 'limited' }[status] || 'failed'] }
      }
      isBusy = false
      element.removeAttribute('aria-busy')
      button.textContent = text
      answer(reply, typed)
    })
    host.dispatchEvent(new CustomEvent('aldaba:shown', { bubbles: true, composed: true }))
  }
  const start = script => {
    if (!script) return
    const { target, language, theme } = script.dataset
    const key = new URL(script.src).pathname.split('/').slice(-2)[0]
    const options = host => ({ src: script.src, language: host.dataset.language || language, theme: host.dataset.theme || theme })
    const add = (name, place) => {
      const host = document.createElement('div')
      place[name](host)
      mount(host, options(host))
    }
    if (target) {
      const place = document.querySelector(target)
      if (place) add('append', place)
      else console.warn('No element matches ' + target + '.')
      return
    }
    const places = document.querySelectorAll('[data-aldaba-widget="' + CSS.escape(key) + '"]')
    for (const host of places) mount(host, options(host))
    if (!places.length) add('after', script)
  }
  const shared = (self.aldabaWidget ??= { mount, start })
  shared.start(script)
})()
`

/** Without the indentation, which nobody reads. */
export const widgetScript = source.replace(/\n\s*/g, '\n').trim()
