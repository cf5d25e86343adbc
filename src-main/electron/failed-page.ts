import { app } from 'electron'

interface EndedWords {
  title: string
  text: string
}

interface FailedPageWords extends EndedWords {
  reload: string
  close: string
}

const ENGLISH: FailedPageWords = {
  title: 'The window failed three times within a minute',
  text: 'Your chats are safe: they are kept outside this window, and an answer that is being written goes on. Load the window again; if it fails once more, close Strata and start it again. The log in the data folder has the details.',
  reload: 'Load it again',
  close: 'Close Strata',
}

const CHINESE: FailedPageWords = {
  title: '窗口在一分钟内出错三次',
  text: '你的对话没有丢失：它们保存在窗口之外，正在写的回答也会继续。请重新加载窗口；若再次出错，请关闭 Strata 后重新启动。详情见数据文件夹中的日志。',
  reload: '重新加载',
  close: '关闭 Strata',
}

const ENDED: Record<'en' | 'zh', EndedWords> = {
  en: {
    title: 'Strata met an error it did not expect',
    text: 'It is closing in order. What is stored is safe, and answers that were being written keep what had come. Start it again; the log in the data folder has the details.',
  },
  zh: {
    title: 'Strata 遇到了意外错误',
    text: '应用正在有序关闭。已保存的内容不会丢失，正在写的回答会保留已收到的部分。请重新启动；详情见数据文件夹中的日志。',
  },
}

export const endedWords = (language: string): EndedWords =>
  language.toLowerCase().startsWith('zh') ? ENDED.zh : ENDED.en

/** The page that would speak is the one that fails, so the words are kept here. */
export function failedPageWords(language: string = app.getLocale()): FailedPageWords {
  return language.toLowerCase().startsWith('zh') ? CHINESE : ENGLISH
}
