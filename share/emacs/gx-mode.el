;;; gx-mode.el --- gx in Emacs: colours, and gx lsp by eglot  -*- lexical-binding: t -*-

;; Put this file into a folder of `load-path' and (require 'gx-mode) into init.el; then M-x eglot
;; in a file of gx, or (add-hook 'gx-mode-hook #'eglot-ensure).

;;; Code:

(require 'python)

;;;###autoload
(define-derived-mode gx-mode python-mode "gx"
  "Major mode for programs of gx."
  (setq-local python-shell-interpreter "gx")
  (setq-local python-shell-interpreter-args "-i"))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.gx\\(?:in\\)?\\'" . gx-mode))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(gx-mode "gx" "lsp")))

(provide 'gx-mode)
;;; gx-mode.el ends here
