;;; goldlens.el --- Predictions held against gold  -*- lexical-binding: t; -*-

;; License: MIT
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Keywords: languages, tools

;;; Commentary:

;; Modes for CoNLL-U and IOB2, the Goldlens language server for them through Eglot, and
;; commands for scores, rows and comparisons.  (require 'goldlens) is all it takes.

;;; Code:

(require 'eglot)
(require 'subr-x)

(defgroup goldlens nil "Predictions held against gold." :group 'tools)

(defcustom goldlens-command '("goldlens" "lsp")
  "How the language server is started."
  :type '(repeat string))

(defvar-local goldlens--board nil "The last scoreboard of this buffer.")

(defconst goldlens--first
  '(("ud" . :LAS) ("span" . :Micro) ("classification" . :Accuracy) ("stemming" . :UI))
  "The metric that stands for all others, by task.")

(define-derived-mode conllu-mode text-mode "CoNLL-U"
  "Dependency trees in ten columns."
  (setq-local indent-tabs-mode t)
  (setq-local tab-width 8)
  (setq-local comment-start "# ")
  (setq-local truncate-lines t)
  (local-set-key (kbd "TAB") #'self-insert-command)
  (setq-local mode-line-process '(:eval (goldlens-mode-line))))

(define-derived-mode iob2-mode conllu-mode "IOB2"
  "Entity tags in columns.")

(add-to-list 'auto-mode-alist '("\\.conllu\\'" . conllu-mode))
(add-to-list 'auto-mode-alist '("\\.\\(iob2\\|bio\\)\\'" . iob2-mode))
(add-to-list 'eglot-server-programs
             '((conllu-mode iob2-mode) . (lambda (&rest _) goldlens-command)))

(add-hook 'conllu-mode-hook #'eglot-ensure)

(cl-defmethod eglot-handle-notification
  (_server (_method (eql goldlens/scores)) &rest board)
  "Keep the scoreboard of a buffer, for its mode line."
  (when-let ((buffer (goldlens--buffer (plist-get board :uri))))
    (with-current-buffer buffer
      (setq goldlens--board board)
      (force-mode-line-update))))

(defun goldlens--buffer (uri)
  "The buffer that visits the file of URI."
  (find-buffer-visiting (eglot--uri-to-path uri)))

(defun goldlens--uri ()
  "The URI of this buffer's file."
  (eglot--path-to-uri (or buffer-file-name (user-error "This buffer visits no file"))))

(defun goldlens--execute (command &rest arguments)
  "Run COMMAND of the server with ARGUMENTS, a plist, about this buffer."
  (eglot--signal-textDocument/didChange)
  (jsonrpc-request (eglot--current-server-or-lose) :workspace/executeCommand
                   (list :command command
                         :arguments (vector (append (list :uri (goldlens--uri)) arguments)))
                   :timeout 60))

(defun goldlens--figure (metrics name)
  "The figure of the metric NAME among METRICS, as a number or nil."
  (let ((figure (plist-get metrics name)))
    (and (consp figure) (or (plist-get figure :f1) (plist-get figure :value)))))

(defun goldlens-mode-line ()
  "The figure that stands for all, such as \" LAS 88.10 (+0.25)\"; empty without a score."
  (let* ((metrics (plist-get goldlens--board :metrics))
         (name (cdr (assoc (plist-get goldlens--board :task) goldlens--first)))
         (score (and name (goldlens--figure metrics name)))
         (since (and name (plist-get (plist-get goldlens--board :since_save) name))))
    (cond
     ((not (numberp score)) "")
     ((and (numberp since) (>= (abs since) 0.005))
      (format " %s %.2f (%+.2f)" (substring (symbol-name name) 1) score since))
     (t (format " %s %.2f" (substring (symbol-name name) 1) score)))))

(defun goldlens-score ()
  "Show the scores of this buffer."
  (interactive)
  (let ((metrics (plist-get (goldlens--execute "goldlens.score") :metrics)) (lines nil))
    (unless metrics (user-error "This file has no gold; goldlens-set-gold names one"))
    (while metrics
      (let ((score (goldlens--figure metrics (car metrics))))
        (push (format "%-20s %s" (substring (symbol-name (car metrics)) 1)
                      (if (numberp score) (format "%8.2f" score) "-"))
              lines))
      (setq metrics (cddr metrics)))
    (message "%s" (string-join (nreverse lines) "\n"))))

(defun goldlens--show (text)
  "Show TEXT in a buffer of its own."
  (with-current-buffer (get-buffer-create "*goldlens*")
    (let ((inhibit-read-only t))
      (erase-buffer)
      (insert text)
      (goto-char (point-min)))
    (special-mode)
    (display-buffer (current-buffer))))

(defun goldlens-rows (format)
  "Make results rows in FORMAT, show them, and put them on the kill ring."
  (interactive
   (list (completing-read "Format: " '("markdown" "latex" "csv" "json" "hf") nil t nil nil
                          "markdown")))
  (let ((rows (goldlens--execute "goldlens.rows" :format format)))
    (kill-new rows)
    (goldlens--show rows)))

(defun goldlens-set-gold (gold)
  "Hold this buffer against the file GOLD until the server ends."
  (interactive "fGold: ")
  (goldlens--execute "goldlens.setGold" :gold (expand-file-name gold)))

(defun goldlens-compare (other)
  "Compare this prediction, A, with the prediction OTHER, B, of the same gold."
  (interactive "fOther prediction: ")
  (goldlens--show
   (mapconcat
    (lambda (row)
      (format "%-20s %8.2f %8.2f %+8.2f%s" (plist-get row :metric) (plist-get row :a)
              (plist-get row :b) (plist-get row :difference)
              (if (eq (plist-get row :differ) t) "  they differ" "")))
    (goldlens--execute "goldlens.compare" :other (expand-file-name other))
    "\n")))

(defun goldlens-seek (which)
  "Go to the sentence with most problems, or to WHICH one with any: next or previous."
  (interactive
   (list (completing-read "Which: " '("worst" "next" "previous") nil t nil nil "worst")))
  (let ((found (goldlens--execute "goldlens.seek" :which which
                                  :line (1- (line-number-at-pos nil t)))))
    (if (null found)
        (message "No problems in this file")
      (push-mark)
      (widen)
      (goto-char (point-min))
      (forward-line (plist-get found :line)))))

(provide 'goldlens)
;;; goldlens.el ends here
