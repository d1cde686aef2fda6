/** The example of a widget in the API documentation. */
import type { Widget } from './schemas.ts'

const key = '6wq0Yf3xLJc1kTt8mZ4pVbN2sRhG7uEd'
const pageUrl = `https://api.example.com/widget/${key}`

export const widgetExample: Widget = {
  campaignId: '01980a4e-8888-7c3e-9d7a-2f6b1c0d9e8f',
  allowedOrigins: ['https://agency.example'],
  theme: 'light',
  language: null,
  fields: [
    { name: 'operation', required: false },
    { name: 'name', required: true },
    { name: 'phone', required: true },
  ],
  consentTexts: {},
  consentVersion: 0,
  key,
  scriptUrl: `${pageUrl}/widget.js`,
  pageUrl,
  snippet: `<div data-aldaba-widget="${key}" style="min-height: 613px"><a href="${pageUrl}">¿Quiere vender o alquilar su vivienda?</a></div>\n<script async src="${pageUrl}/widget.js"></script>\n`,
  submissions: { created: 12, known: 2, spam: 40, suppressed: 0, refused: 0 },
  updatedAt: '2026-11-02T10:00:00.000Z',
}
