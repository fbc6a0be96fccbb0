/** A sentence for an operator, without an address. */
export class TransferFailed extends Error {}

/** What network or disk refused becomes a sentence; all else stays a bug. */
export async function inSentences<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    const sentence = sentenceOf(error)
    throw sentence === null ? error : new TransferFailed(sentence, { cause: error })
  }
}

const unresolved = '下载地址的域名无法解析'
const noConnection = '连接下载源超时'
const brokenOff = '下载中断：连接被关闭'
const diskFull = '磁盘空间不足'
const readOnly = '镜像目录不可写'

const sentences: Record<string, string> = {
  ENOTFOUND: unresolved,
  EAI_AGAIN: unresolved,
  ECONNREFUSED: '下载源拒绝连接',
  ETIMEDOUT: noConnection,
  UND_ERR_CONNECT_TIMEOUT: noConnection,
  UND_ERR_HEADERS_TIMEOUT: noConnection,
  UND_ERR_BODY_TIMEOUT: '下载源不再发送数据',
  UND_ERR_SOCKET: brokenOff,
  ECONNRESET: brokenOff,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: '下载中断：内容长度与声明不符',
  ENOSPC: diskFull,
  EDQUOT: diskFull,
  EACCES: readOnly,
  EPERM: readOnly,
  EROFS: readOnly,
}

function sentenceOf(error: unknown): string | null {
  if (!(error instanceof Error) || error instanceof TransferFailed) return null
  const code = codeOf(error) ?? codeOf(error.cause)
  if (code !== null && sentences[code]) return sentences[code]
  // fetch throws a TypeError whose cause may tell the address too.
  const fromNetwork = error instanceof TypeError && (error.message === 'fetch failed' || error.message === 'terminated')
  return fromNetwork ? `下载失败${code === null ? '' : `（${code}）`}` : null
}

const codeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
