/** Errors as the Graph API writes them. */

export class GraphError extends Error {
  readonly status: number
  readonly body: object

  constructor(status: number, code: number, message: string, details?: string, subcode?: number) {
    super(message)
    this.status = status
    this.body = {
      error: {
        message: `(#${code}) ${message}`,
        type: 'OAuthException',
        code,
        ...(subcode !== undefined && { error_subcode: subcode }),
        ...(details && { error_data: { messaging_product: 'whatsapp', details } }),
        fbtrace_id: 'AXsgnV2Cm3ZMGF3dF_cfYIn',
      },
    }
  }
}

export const invalid = (details: string, code = 100): GraphError =>
  new GraphError(400, code, 'Invalid parameter', details)
