/** The name of the Basic module with {@link BASIC_LOOP}. */
export const LOOP_MODULE = "Quire";

/**
 * The program that keeps LibreOffice running. It connects to the pipe that it receives as an argument, and takes jobs
 * until the pipe is closed. It first sends `READY` and its version.
 *
 * A job is a length in three bytes, one unused byte, and UTF-8 text. The text consists of fields separated by tabs:
 * the URL of the docx, the URL for the PDF, whether to update indexes, then title, author, subject and keywords, each
 * with a leading `+` if it is to be set. Then name, kind (`b`, `l` or `s`) and value of each export option follow.
 * The answer is a line: `OK`, or `ERR` and the reason.
 *
 * All documents are opened in one frame, which is replaced after a failure. A new frame for each document, with its
 * menus and toolbars, would take a tenth of the time needed for a letter. The document is removed from the frame
 * before it is closed, because otherwise the frame would be closed as well. Without a layout manager in the frame,
 * LibreOffice crashes with some documents.
 *
 * Without `EnableReschedule(False)`, Basic would process window events between its statements. That costs time, and
 * LibreOffice would abort for documents with comments, because Debian's packages without a graphical interface lack
 * some files.
 *
 * The document is opened hidden, read-only and without macros. It is opened from a file, because content loaded from
 * a stream escapes `BlockUntrustedRefererLinks`. UNO's own services read and write strings, because loops over
 * characters take milliseconds in Basic.
 */
export const BASIC_LOOP = `Option Explicit

Private frame As Object

Sub Serve(address As String)
  Dim pipe, job As String
  On Error Goto Finish
  pipe = CreateUnoService("com.sun.star.connection.Connector").connect(address)
  EnableReschedule(False)
  MakeFrame()
  Answer(pipe, "READY " & Version())
  Do
    job = NextJob(pipe)
    If job = "" Then Exit Do
    Answer(pipe, Convert(Split(job, Chr(9))))
  Loop
Finish:
  On Error Resume Next
  StarDesktop.terminate()
End Sub

Private Sub MakeFrame()
  Dim window
  Dim described As New com.sun.star.awt.WindowDescriptor
  described.Type = com.sun.star.awt.WindowClass.TOP
  described.WindowServiceName = "window"
  described.ParentIndex = -1
  described.WindowAttributes = 0
  window = CreateUnoService("com.sun.star.awt.Toolkit").createWindow(described)
  frame = CreateUnoService("com.sun.star.frame.Frame")
  frame.initialize(window)
End Sub

Private Function Version() As String
  Dim provider, product, path(0)
  On Error Goto Unknown
  provider = CreateUnoService("com.sun.star.configuration.ConfigurationProvider")
  path(0) = Property("nodepath", "/org.openoffice.Setup/Product")
  product = provider.createInstanceWithArguments("com.sun.star.configuration.ConfigurationAccess", path())
  Version = product.getByName("ooSetupVersionAboutBox")
  Exit Function
Unknown:
  Version = ""
End Function

Private Function NextJob(pipe) As String
  Dim head(), body(), length As Long, source, text
  NextJob = ""
  If pipe.read(head, 4) < 4 Then Exit Function
  length = (head(0) And 255) * 65536 + (head(1) And 255) * 256 + (head(2) And 255)
  If pipe.read(body, length) < length Then Exit Function
  source = com.sun.star.io.SequenceInputStream.createStreamFromSequence(body)
  text = CreateUnoService("com.sun.star.io.TextInputStream")
  text.setInputStream(source)
  text.setEncoding("UTF-8")
  NextJob = text.readString(Array(), False)
  text.closeInput()
End Function

Private Sub Answer(pipe, line As String)
  Dim i As Long, code As Long
  Dim bytes(Len(line)) As Integer
  For i = 1 To Len(line)
    code = Asc(Mid(line, i, 1)) And 127
    If code < 32 Then code = 32
    bytes(i - 1) = code
  Next
  bytes(Len(line)) = 10
  pipe.write(bytes)
End Sub

Private Function Property(name As String, value)
  Dim made As New com.sun.star.beans.PropertyValue
  made.Name = name
  made.Value = value
  Property = made
End Function

Private Function Convert(job) As String
  Dim document, i As Long
  On Error Goto Failed
  Dim load(5)
  load(0) = Property("Hidden", True)
  load(1) = Property("ReadOnly", True)
  load(2) = Property("UpdateDocMode", 0)
  load(3) = Property("MacroExecutionMode", 0)
  load(4) = Property("Silent", True)
  load(5) = Property("FilterName", "MS Word 2007 XML")
  document = frame.loadComponentFromURL(job(0), "_self", 0, load())
  If IsNull(document) Then
    Convert = "ERR could not open the document"
    Renew(document)
    Exit Function
  End If
  If job(2) = "1" Then
    For i = 0 To document.DocumentIndexes.Count - 1
      document.DocumentIndexes.getByIndex(i).update()
    Next
  End If
  If job(3) <> "" Then document.DocumentProperties.Title = Mid(job(3), 2)
  If job(4) <> "" Then document.DocumentProperties.Author = Mid(job(4), 2)
  If job(5) <> "" Then document.DocumentProperties.Subject = Mid(job(5), 2)
  If job(6) <> "" Then document.DocumentProperties.Keywords = Split(Mid(job(6), 2), ", ")
  Dim save(1)
  save(0) = Property("FilterName", "writer_pdf_Export")
  save(1) = Property("FilterData", ExportOptions(job))
  document.storeToURL(job(1), save())
  frame.setComponent(Nothing, Nothing)
  document.close(True)
  Convert = "OK"
  Exit Function
Failed:
  Convert = "ERR " & Err & " " & Error$
  Renew(document)
End Function

Private Sub Renew(document)
  On Error Resume Next
  frame.setComponent(Nothing, Nothing)
  If Not IsNull(document) Then document.close(True)
  frame.close(True)
  MakeFrame()
End Sub

Private Function ExportOptions(job)
  Dim i As Long, count As Long
  count = (UBound(job) - 6) \\ 3
  If count = 0 Then
    ExportOptions = Array()
    Exit Function
  End If
  Dim options(count - 1) As New com.sun.star.beans.PropertyValue
  For i = 0 To count - 1
    options(i).Name = job(7 + 3 * i)
    Select Case job(8 + 3 * i)
      Case "b" : options(i).Value = (job(9 + 3 * i) = "1")
      Case "l" : options(i).Value = CLng(job(9 + 3 * i))
      Case Else : options(i).Value = job(9 + 3 * i)
    End Select
  Next
  ExportOptions = options()
End Function
`;
